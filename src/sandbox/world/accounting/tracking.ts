import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { trackingCategory } from '../../../records/index.js';
import { instant } from '../time.js';

/** Children by name. */
interface Tree {
  readonly [name: string]: Tree;
}

const leaves = (...names: string[]): Tree => Object.fromEntries(names.map((name) => [name, {}]));
const TREE: Tree = {
  Region: {
    Australia: leaves('New South Wales', 'Victoria', 'Queensland', 'Western Australia', 'South Australia'),
    'New Zealand': leaves('North Island', 'South Island'),
    ...leaves('Asia', 'Europe', 'North America'),
  },
  Department: leaves(
    'Sales',
    'Marketing',
    'Operations',
    'Warehouse',
    'Workshop',
    'Delivery',
    'Finance',
    'People',
    'Information technology',
  ),
  Project: leaves(
    'Showroom refit',
    'Website relaunch',
    'Spring campaign',
    'Hotel Meridian',
    'Library fit-out',
    'Warehouse move',
    'Trade fair',
    'Old catalogue',
  ),
};

const REGIONS = ['new-south-wales', 'victoria', 'queensland', 'north-island', 'asia', 'europe'];
const DEPARTMENTS = ['sales', 'workshop', 'delivery', 'operations', 'marketing'];

/** A region and, on every other line, a department. */
export function trackingOf(index: number): string[] {
  const region = REGIONS[index % REGIONS.length] ?? 'asia';
  const department = DEPARTMENTS[index % DEPARTMENTS.length] ?? 'sales';
  return index % 2 === 0 ? [`trk-${region}`, `trk-${department}`] : [`trk-${region}`];
}

export function createTrackingCategories(): UnifiedRecord<typeof trackingCategory>[] {
  return flatten(TREE, null).map(({ name, parentId, hasChildren }, index) => ({
    platformId: idOf(name),
    values: {
      name,
      status: name.startsWith('Old') ? 'ARCHIVED' : 'ACTIVE',
      parentId,
      hasChildren,
      updatedAt: instant(index / 8),
    },
  }));
}

const idOf = (name: string): string => `trk-${name.toLowerCase().replaceAll(' ', '-')}`;

interface Flat {
  readonly name: string;
  readonly parentId: string | null;
  readonly hasChildren: boolean;
}

function flatten(tree: Tree, parentId: string | null): Flat[] {
  return Object.entries(tree).flatMap(([name, below]) => [
    { name, parentId, hasChildren: Object.keys(below).length > 0 },
    ...flatten(below, idOf(name)),
  ]);
}
