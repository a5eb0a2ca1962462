import { type PlatformClient, type PlatformObject, type PulledPage } from '../connector.js';
import { withContext } from '../platform-json.js';
import { objectOf, objectsIn, textOf } from '../platform-values.js';
import { ENTITY, listOfNames } from './kinds.js';
import { allOf } from './numbered.js';
import { idOf } from './query.js';

/** Whether a class or a location has others below it, noted in it. */
export const HAS_CHILDREN = 'svc_has_children';
/** Where the rates of a tax code are put. */
export const RATES = 'svc_tax_rates';

/** The classes and the locations, which QuickBooks calls departments. */
export async function* trackingPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  const objects: PlatformObject[] = [];
  for (const entity of ['Class', 'Department']) {
    const all = await allOf(listOfNames(entity), client);
    const parents = new Set(all.map(({ ParentRef }) => objectOf(ParentRef)?.['value']));
    objects.push(
      ...all.map((one) => withContext(one, { [ENTITY]: entity, [HAS_CHILDREN]: parents.has(idOf(one)) })),
    );
  }
  yield { objects, cursor: null };
}

/** The tax codes, which documents refer to, with the rates they consist of. */
export async function* taxPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  // The filter that finds inactive ones leaves out those of automated sales tax, which are neither.
  const kinds = [{ ...listOfNames('TaxCode'), hasInactive: undefined }, listOfNames('TaxCode')];
  const codes = new Map<string, PlatformObject>();
  for (const kind of kinds) for (const code of await allOf(kind, client)) codes.set(idOf(code), code);
  const rates = new Map((await allOf(listOfNames('TaxRate'), client)).map((rate) => [idOf(rate), rate]));
  const objects = [...codes.values()].map((code) => {
    const used = ['SalesTaxRateList', 'PurchaseTaxRateList']
      .flatMap((list) => objectsIn(objectOf(code[list])?.['TaxRateDetail']))
      .flatMap(({ TaxRateRef }) => rates.get(textOf(objectOf(TaxRateRef)?.['value']) ?? '') ?? []);
    return withContext(code, { [RATES]: [...new Set(used)] });
  });
  yield { objects, cursor: null };
}
