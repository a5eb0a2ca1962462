/** Objects as docs/sandbox.md shows them. */
const times = { CreatedOn: '2026-01-05T09:02:30.000Z', ChangedOn: '2026-01-06T10:00:00.000Z' };
export const CHANGED = times.ChangedOn;

export const aud = (Amount: string) => ({ Amount, Currency: 'AUD' });

export const currency = {
  Guid: 'usd',
  Code: 'USD',
  Title: 'US Dollar',
  Sign: '$',
  IsBase: false,
  ExchangeRate: '1.5305',
  ...times,
};

export const taxCode = {
  Guid: 'quebec',
  Code: 'CA-QC',
  Title: 'Quebec GST and QST',
  AppliesTo: 'both',
  Percentage: '14.975',
  EffectivePercentage: '14.975',
  Parts: [
    { PartGuid: 'gst', Title: 'GST', Percentage: '5', Authority: 'Revenu Québec', Compound: false },
    { PartGuid: 'qst', Title: 'QST', Percentage: '9.975', Authority: 'Revenu Québec', Compound: true },
  ],
  ...times,
};

export const dimension = {
  Guid: 'region',
  Title: 'Region',
  State: 'open',
  Options: [
    { OptionGuid: 'australia', Title: 'Australia', Parent: null, State: 'open', ChangedOn: CHANGED },
    { OptionGuid: 'victoria', Title: 'Victoria', Parent: 'australia', State: 'closed', ChangedOn: CHANGED },
  ],
  ...times,
};

export const account = {
  Guid: 'everyday',
  Number: '1010',
  Title: 'Everyday account',
  Notes: 'Everyday account of the company',
  Class: 'bank',
  Group: 'checking',
  State: 'open',
  Currency: 'AUD',
  Balance: aud('24299.53'),
  ParentNumber: '1000',
  Bank: { Institution: 'Harbour Bank', AccountNumber: '062-000 1048 2216' },
  Reference: null,
  ...times,
};

export const companyDetails = {
  Guid: 'company',
  Title: 'Harbour Furniture',
  RegisteredName: 'Harbour Furniture Pty Ltd',
  TaxRegistration: '51 824 753 556',
  CompanyRegistration: '824 753 556',
  BaseCurrency: 'AUD',
  YearStart: '01.07.2025',
  ...times,
};

export const project = {
  Guid: 'refit',
  Code: 'PRJ-001',
  Title: 'Harbour Hotel: refit',
  Notes: 'Refit for Harbour Hotel',
  ...times,
};

export const product = {
  Guid: 'lamp',
  Sku: 'LMP-01',
  Title: 'Desk lamp',
  Notes: 'Desk lamp (LMP-01)',
  Nature: 'stocked',
  State: 'open',
  OnHand: '57',
  Selling: { Price: aud('49.90'), AccountNumber: '4100', TaxCode: 'AU-GST', Text: 'Desk lamp' },
  Buying: { Price: aud('21.40'), AccountNumber: '1200', TaxCode: 'AU-GST', Text: 'Desk lamp, purchase' },
  Reference: null,
  ...times,
};

const place = {
  Use: 'invoice',
  Street: '12 Quay Street',
  District: 'Old Town',
  Town: 'Sydney',
  Region: 'NSW',
  PostCode: '2000',
  Country: 'Australia',
};

export const partner = {
  Guid: 'cafe',
  Role: 'customer',
  Title: 'Harbour Cafe',
  Person: 'Mia Harbour',
  Currency: 'AUD',
  TaxRegistration: '41299311882',
  CompanyRegistration: '551029388',
  State: 'open',
  Addresses: [place],
  Phones: [{ Use: 'landline', Number: '+61 2 5550 1234' }],
  Emails: ['accounts@harbour-cafe.example'],
  Websites: ['https://harbour-cafe.example'],
  Reference: null,
  ...times,
};

export const line = {
  LineGuid: 'line-1',
  ProductSku: 'CHR-01',
  AccountNumber: '4100',
  TaxCode: 'AU-GST',
  Project: 'refit',
  Text: 'Office chair',
  Quantity: '2',
  UnitPrice: aud('289.50'),
  LineTotal: aud('579.00'),
  Discount: aud('57.90'),
  Tax: aud('52.11'),
  Gross: aud('573.21'),
  DimensionOptions: ['victoria', 'sales'],
};

const document = {
  Guid: 'doc-1',
  Number: 'DOC-0001',
  Partner: { Guid: 'cafe', Title: 'Orchard Cafe' },
  Currency: 'AUD',
  ExchangeRate: '1',
  Date: '09.01.2026',
  Text: 'Thank you',
  Lines: [line],
  LinesTotal: aud('579.00'),
  DiscountTotal: aud('57.90'),
  TaxTotal: aud('52.11'),
  GrandTotal: aud('573.21'),
  Reference: null,
  ...times,
};

const demand = {
  ...document,
  DueDate: '08.02.2026',
  State: 'part-settled',
  Outstanding: aud('100.00'),
};
export const invoice = { ...demand, SalesOrders: ['so-1'] };
export const bill = { ...demand, PurchaseOrders: ['po-1'] };

export const creditNote = {
  ...document,
  State: 'part-used',
  Remaining: aud('73.21'),
  Applied: [
    { Invoice: 'inv-1', Amount: aud('400.00') },
    { Invoice: 'inv-1', Amount: aud('100.00') },
  ],
};

export const supplierCredit = {
  ...document,
  State: 'open',
  Remaining: aud('473.21'),
  Applied: [{ Bill: 'bill-1', Amount: aud('100.00') }],
};

export const salesOrder = {
  ...document,
  DeliveryDate: '20.01.2026',
  State: 'confirmed',
  Invoices: ['inv-1', 'inv-2'],
  Addresses: [place, { ...place, Use: 'delivery' }],
};

export const purchaseOrder = {
  ...document,
  DeliveryDate: '20.01.2026',
  State: 'completed',
  Bills: ['bill-1'],
  PaymentMeans: 'bank transfer',
  Addresses: [{ ...place, Use: 'delivery' }],
};

export const goodsReceipt = {
  ...document,
  State: 'received',
  DeliveryDate: '12.01.2026',
  PaymentMeans: 'bank transfer',
  PurchaseOrders: ['order-1'],
};

export const expense = {
  ...document,
  AccountNumber: '2400',
  PaymentMeans: 'card',
  State: 'booked',
};

export const receipt = {
  Guid: 'rec-1',
  Number: 'REC-0001',
  ReceiptNo: 'receipt-90100',
  Partner: { Guid: 'cafe', Title: 'Orchard Cafe' },
  Invoice: 'inv-1',
  CreditNote: null,
  AccountNumber: '1010',
  Amount: { Amount: '318.45', Currency: 'EUR' },
  ExchangeRate: '1.6620',
  PaymentMeans: 'bank transfer',
  Text: 'First half',
  Date: '12.01.2026',
  State: 'booked',
  Reference: null,
  ...times,
};

export const movement = {
  Guid: 'bnk-1',
  Kind: 'spend',
  Nature: 'expense',
  StatementAccountNumber: '1010',
  FromAccountNumber: '1010',
  ToAccountNumber: '6100',
  Partner: { Guid: 'timber', Title: 'Ridge Timber' },
  Amount: aud('2150.40'),
  ExchangeRate: '1',
  Date: '07.01.2026',
  State: 'cleared',
  Text: null,
  Reference: null,
  ...times,
};

export const journal = {
  Guid: 'jnl-1',
  Number: 'JNL-0003',
  Date: '12.01.2026',
  Text: 'Rent not billed yet, 2026-01',
  Nature: 'adjusting',
  State: 'posted',
  Currency: 'AUD',
  ExchangeRate: '1',
  Total: aud('1100.00'),
  Lines: [
    {
      LineGuid: 'jl-1',
      AccountNumber: '6100',
      Partner: 'timber',
      Text: 'Rent not billed yet',
      Debit: aud('1000.00'),
      Credit: null,
      TaxCode: 'AU-GST',
      Tax: aud('100.00'),
      DimensionOptions: ['sales'],
    },
    {
      LineGuid: 'jl-2',
      AccountNumber: '2500',
      Partner: null,
      Text: null,
      Debit: null,
      Credit: aud('1000.00'),
      TaxCode: null,
      Tax: aud('0.00'),
      DimensionOptions: [],
    },
  ],
  Reference: null,
  ...times,
};

export const attachment = {
  Guid: 'file-1',
  FileName: 'INV-1.pdf',
  ContentType: 'application/pdf',
  Size: 48211,
  Uploaded: true,
  AttachedTo: { Kind: 'SalesInvoices', Guid: 'inv-1' },
  Reference: null,
  ...times,
};
