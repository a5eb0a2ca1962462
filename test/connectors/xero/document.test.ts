import { describe, expect, test } from '@jest/globals';

import { toDocument } from '../../../src/connectors/xero/mappers/document.js';
import { oddValues } from './lookups.js';

const attachment = {
  AttachmentID: 'att-1',
  FileName: 'invoice.pdf',
  Url: 'https://api.xero.com/api.xro/2.0/Invoices/inv-1/Attachments/invoice.pdf',
  MimeType: 'application/pdf',
  ContentLength: 2878711,
};
const ofInvoice = { ...attachment, Invoice: { Type: 'ACCREC', InvoiceID: 'inv-1' } };

describe('a Xero attachment', () => {
  test('is read field by field', () => {
    expect(toDocument(ofInvoice)).toEqual({
      platformId: 'att-1',
      values: {
        documentType: 'INVOICES',
        documentTypeId: 'inv-1',
        documentUploaded: false,
        fileName: 'invoice.pdf',
        fileSize: '2878711',
        fileType: 'application/pdf',
      },
    });
  });

  test.each([
    [{ Invoice: { Type: 'ACCPAY', InvoiceID: 'p' } }, 'BILLS'],
    [{ CreditNote: { Type: 'ACCRECCREDIT', CreditNoteID: 'p' } }, 'INVOICE_CREDIT_NOTES'],
    [{ CreditNote: { Type: 'ACCPAYCREDIT', CreditNoteID: 'p' } }, 'BILL_CREDIT_NOTES'],
    [{ PurchaseOrder: { Type: 'PURCHASEORDER', PurchaseOrderID: 'p' } }, 'PURCHASE_ORDERS'],
    [{ ManualJournal: { ManualJournalID: 'p' } }, 'JOURNAL_ENTRIES'],
  ])('of %j belongs to %s', (parent, documentType) => {
    expect(toDocument({ ...attachment, ...parent })?.values).toMatchObject({
      documentType,
      documentTypeId: 'p',
    });
  });

  test.each([{}, { Invoice: { Type: 'ARPREPAYMENT', InvoiceID: 'p' } }, { Invoice: null }])(
    'of %j is none of ours',
    (parent) => {
      expect(toDocument({ ...attachment, ...parent })).toBeNull();
    },
  );

  test.each(oddValues)('survives %p in every field but parent and id', (value) => {
    const odd = Object.fromEntries(Object.keys(attachment).map((name) => [name, value]));
    expect(toDocument({ ...ofInvoice, ...odd, AttachmentID: 'att-1' })?.platformId).toBe('att-1');
  });

  test('cannot do without its id', () => {
    expect(() => toDocument({ ...ofInvoice, AttachmentID: '' })).toThrow(
      'Xero sent a record without AttachmentID',
    );
  });
});
