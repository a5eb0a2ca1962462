import type { TrackingCategoryModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { boolean, text, timestamp } from '../fields.js';
import { many, one } from '../relations.js';

/** Reference 2.3, Tracking category. */
export const trackingCategory = defineRecord<TrackingCategoryModel>()({
  model: 'TrackingCategory',
  table: 'tracking_categories',
  list: 'trackingCategories',
  path: 'accounting/tracking_categories',
  dataModel: 'TRACKING_CATEGORIES',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    status: text('status'),
    parentId: text('parent_id'),
    hasChildren: boolean('has_children'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    parent: one('parent', 'TrackingCategory', 'parentId'),
    children: many('children', 'TrackingCategory', 'parentId'),
  },
  rest: { allMetadata: ['rawData'], expand: [] },
});
