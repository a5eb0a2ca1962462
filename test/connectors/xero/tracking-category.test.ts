import { describe, expect, test } from '@jest/globals';

import { toTrackingCategory } from '../../../src/connectors/xero/mappers/tracking-category.js';
import { oddValues } from './lookups.js';

const north = { TrackingCategoryID: 'region', TrackingOptionID: 'north', Name: 'North', Status: 'ARCHIVED' };
const region = { TrackingCategoryID: 'region', Name: 'Region', Status: 'ACTIVE', Options: [north] };

describe('a Xero tracking category', () => {
  test('is read field by field', () => {
    expect(toTrackingCategory(region)).toEqual({
      platformId: 'region',
      deleted: false,
      values: { name: 'Region', status: 'ACTIVE', parentId: null, hasChildren: true },
    });
  });

  test.each([[[]], [undefined], [[null, 'odd']], [[{ ...north, Status: 'DELETED' }]]])(
    'with the options %j has no children',
    (Options) => {
      expect(toTrackingCategory({ ...region, Options }).values.hasChildren).toBe(false);
    },
  );

  test('is deleted when Xero says so', () => {
    expect(toTrackingCategory({ ...region, Status: 'DELETED' }).deleted).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(region).map((name) => [name, value]));
    expect(toTrackingCategory({ ...odd, TrackingCategoryID: 'region' }).platformId).toBe('region');
  });

  test('cannot do without its id', () => {
    expect(() => toTrackingCategory({ Name: 'Region' })).toThrow(
      'Xero sent a record without TrackingCategoryID',
    );
  });
});

describe('an option of a Xero tracking category', () => {
  test('is a category below it', () => {
    expect(toTrackingCategory(north)).toEqual({
      platformId: 'north',
      deleted: false,
      values: { name: 'North', status: 'ARCHIVED', parentId: 'region', hasChildren: false },
    });
  });

  test.each([null, '', 7])('with the id %p is not taken for its category', (TrackingOptionID) => {
    expect(() => toTrackingCategory({ ...north, TrackingOptionID })).toThrow(
      'Xero sent a record without TrackingOptionID',
    );
  });
});
