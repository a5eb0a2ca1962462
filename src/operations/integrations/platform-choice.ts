import { connectors, connectorsOf } from '../../connectors/index.js';
import { type FieldPath, invalid } from '../../errors.js';
import type { Category } from '../../records/define.js';

/** The platforms that an invite link offers. */
export interface PlatformChoice {
  readonly integrations: readonly string[];
  readonly integrationCategories: readonly Category[];
}

/** Categories of platforms that can be connected. */
export function knownCategories(): Category[] {
  return [...new Set(connectors.map(({ category }) => category))];
}

/** Parses a category; throws `invalid-params` on an unknown one. */
export function parseCategory(value: string, field: FieldPath): Category {
  const known = knownCategories();
  const found = known.find((category) => category === value);
  if (found) return found;
  throw invalid(field, `must be one of ${known.join(', ')}, got ${value.slice(0, 60)}`);
}

/**
 * The platforms and categories that a caller named, deduplicated. Without categories, those of the platforms; without
 * platforms, those that the link has. Throws `invalid-params` on unknown ones, and if nothing could be connected.
 */
export function parsePlatformChoice(
  named: readonly string[] | null,
  categories: readonly string[] | null,
  kept: readonly string[] = [],
): PlatformChoice {
  const integrations = named ?? kept;
  const types = [...new Set(integrations)];
  types.forEach((type, index) => requireKnownType(type, ['integrations', index]));
  if (categories === null) return { integrations: types, integrationCategories: categoriesOf(types) };
  if (categories.length === 0) {
    throw invalid('integrationCategories', `must name at least one of ${knownCategories().join(', ')}`);
  }
  const known = categories.map((one, index) => parseCategory(one, ['integrationCategories', index]));
  const integrationCategories = [...new Set(known)];
  types.forEach((type, index) => {
    const has = categoriesOf([type]);
    if (has.some((category) => integrationCategories.includes(category))) return;
    if (named === null) {
      const left = `leaves out ${has.join(', ')}, the category of ${type} in integrations of the link`;
      throw invalid('integrationCategories', `${left}: name integrations, too`);
    }
    const words = `is ${type}, of ${has.join(', ')}, not of ${integrationCategories.join(', ')}`;
    throw invalid(['integrations', index], words);
  });
  return { integrations: types, integrationCategories };
}

function requireKnownType(type: string, field: FieldPath): void {
  if (connectors.some(({ integrationType }) => integrationType === type)) return;
  const known = [...new Set(connectors.map(({ integrationType }) => integrationType))].join(', ');
  throw invalid(field, `must be one of ${known}, got ${type.slice(0, 60)}`);
}

/** The categories of some platforms; of none, all categories. */
function categoriesOf(types: readonly string[]): Category[] {
  if (types.length === 0) return knownCategories();
  return [...new Set(types.flatMap((type) => connectorsOf(type).map(({ category }) => category)))];
}
