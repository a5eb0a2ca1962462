import { parseDecimal } from '../../../base/values.js';
import { badRequest, Failure } from '../../failure.js';
import type { ApiHandler } from '../../gate/platform-api.js';
import { performWrite } from '../../gate/write.js';
import { formBody } from '../../http/call.js';
import type { BooksObject } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { liveRow } from './write.js';

/** `POST /Products/{guid}/StockCount`, a form: sets the stock to the counted number, whatever it was before. */
export const countStock: ApiHandler = async (call) => {
  const counted = amountOf((await formBody(call)).get('Counted'));
  return performWrite(call, async (change) => {
    const row = await liveRow(change, 'Products', call);
    const product = fromStored<BooksObject & { readonly Nature: string }>(row);
    if (product.Nature !== 'stocked') {
      const message = 'is for stocked products only';
      throw new Failure('invalid', message, { problems: [{ field: 'OnHand', code: 'Invalid', message }] });
    }
    const object = { ...product, OnHand: counted, ChangedOn: change.now.toISOString() };
    await change.update(toStored('Products', object));
    const marker = product.Reference ?? null;
    return { status: 204, body: '', kind: 'Products', id: product.Guid, operation: 'update', marker };
  });
};

function amountOf(text: string | null): string {
  try {
    return parseDecimal(text ?? '', 'Counted');
  } catch {
    throw badRequest('Counted', 'Counted must be a decimal');
  }
}
