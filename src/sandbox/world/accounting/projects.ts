import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { project } from '../../../records/index.js';

/** Types of project, and the sites they are for. */
const WORKS = ['Fit-out', 'Refit', 'Maintenance', 'Relocation', 'Event'] as const;
const SITES = [
  'Harbour Hotel',
  'City library',
  'North wharf',
  'Old mill',
  'Grand arcade',
  'Airport',
] as const;

const codeOf = (index: number): string => `PRJ-${String(index + 1).padStart(3, '0')}`;
const idOf = (index: number): string => codeOf(index).toLowerCase();
const COUNT = WORKS.length * SITES.length;
/** Every 3rd line belongs to a project. */
const EVERY = 3;

/** The project of a line, or null. */
export const projectOf = (index: number): string | null =>
  index % EVERY === 0 ? idOf((index / EVERY) % COUNT) : null;

export function createProjects(): UnifiedRecord<typeof project>[] {
  return SITES.flatMap((site) => WORKS.map((work) => [work, site] as const)).map(([work, site], index) => ({
    platformId: idOf(index),
    values: {
      code: codeOf(index),
      name: `${site}: ${work.toLowerCase()}`,
      description: index % 4 === 3 ? null : `${work} for ${site}`,
    },
  }));
}
