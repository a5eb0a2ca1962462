import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { nullIfRefused } from '../client/platform-errors.js';
import { withContext } from '../values/platform-json.js';
import { objectOf, objectsIn, textOf } from '../values/platform-values.js';
import { ENTITY, listOfNames, markedId } from './kinds.js';
import { allOf } from './numbered.js';
import { ask, idOf } from './query.js';

/** Whether a class or a location has others below it, noted in it. */
export const HAS_CHILDREN = 'svc_has_children';
const TRACKED = ['Class', 'Department'];

/** Where the rates of a tax code are put. */
export const RATES = 'svc_tax_rates';
/** Where the name of a tax rate's agency is put. */
export const AGENCY = 'svc_tax_agency';

/**
 * The classes and the locations, which QuickBooks calls departments. Not every plan has both, and not every user may see
 * both: of the one that is refused, nothing is known. If both are refused, the record type is.
 */
export async function* trackingPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  const objects: PlatformObject[] = [];
  const unlisted: string[] = [];
  const refusals: unknown[] = [];
  for (const entity of TRACKED) {
    const all = await allOf(listOfNames(entity), client).catch((error: unknown) => {
      refusals.push(error);
      return nullIfRefused(error);
    });
    if (refusals.length === TRACKED.length) throw refusals[0];
    if (all === null) {
      unlisted.push(markedId(entity, ''));
      continue;
    }
    const parents = new Set(all.map(({ ParentRef }) => objectOf(ParentRef)?.['value']));
    objects.push(
      ...all.map((one) => withContext(one, { [ENTITY]: entity, [HAS_CHILDREN]: parents.has(idOf(one)) })),
    );
  }
  yield { objects, unlisted, cursor: null };
}

/** The tax codes, which documents refer to, with the rates they consist of. */
export async function* taxPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  // The filter that finds inactive ones leaves out those of automated sales tax, which are neither.
  const kinds = [{ ...listOfNames('TaxCode'), hasInactive: undefined }, listOfNames('TaxCode')];
  const codes = new Map<string, PlatformObject>();
  for (const kind of kinds) for (const code of await allOf(kind, client)) codes.set(idOf(code), code);
  const found = await allOf(listOfNames('TaxRate'), client);
  const agencies = found.length === 0 ? new Map<string, string | null>() : await agencyNames(client);
  const rates = new Map(
    found.map((rate) => {
      const agency = agencies.get(textOf(objectOf(rate['AgencyRef'])?.['value']) ?? '');
      return [idOf(rate), withContext(rate, { [AGENCY]: agency ?? null })];
    }),
  );
  const objects = [...codes.values()].map((code) => {
    const used = ['SalesTaxRateList', 'PurchaseTaxRateList']
      .flatMap((list) => objectsIn(objectOf(code[list])?.['TaxRateDetail']))
      .flatMap(({ TaxRateRef }) => rates.get(textOf(objectOf(TaxRateRef)?.['value']) ?? '') ?? []);
    return withContext(code, { [RATES]: [...new Set(used)] });
  });
  yield { objects, cursor: null };
}

/** The names of tax agencies, which rates refer to by Id alone. They are few, and their order is not promised. */
async function agencyNames(client: PlatformClient): Promise<ReadonlyMap<string, string | null>> {
  const agencies = await ask(client, 'TaxAgency', ['maxresults 1000']).catch(nullIfRefused);
  return new Map((agencies ?? []).map((agency) => [idOf(agency), textOf(agency['DisplayName'])]));
}
