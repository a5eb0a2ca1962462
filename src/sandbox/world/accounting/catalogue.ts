/**
 * An item that a company trades in: code, name, price, cost. Without a price it is only bought, without a cost only
 * sold.
 */
export type Good = readonly [code: string, name: string, price: string | null, cost: string | null];

/** The two trades of the demo companies. */
export type Trade = 'furniture' | 'consulting';

const FURNITURE: readonly Good[] = [
  ['LMP-01', 'Desk lamp', '49.90', '21.40'],
  ['LMP-02', 'Floor lamp', '129.00', '58.75'],
  ['LMP-03', 'Pendant light', '189.00', '84.20'],
  ['DSK-01', 'Standing desk', '649.00', '342.00'],
  ['DSK-02', 'Writing desk', '429.00', '218.50'],
  ['DSK-03', 'Corner desk', '519.00', '276.30'],
  ['CHR-01', 'Office chair', '289.50', '139.95'],
  ['CHR-02', 'Dining chair', '159.00', '71.30'],
  ['CHR-03', 'Armchair', '599.00', '288.00'],
  ['CHR-04', 'Bar stool', '119.00', '52.60'],
  ['TBL-01', 'Dining table', '899.00', '455.00'],
  ['TBL-02', 'Coffee table', '329.00', '148.90'],
  ['TBL-03', 'Side table', '149.00', '63.25'],
  ['TBL-04', 'Meeting table', '1249.00', '640.00'],
  ['SHF-01', 'Bookshelf', '279.00', '121.80'],
  ['SHF-02', 'Wall shelf', '69.90', '27.45'],
  ['SHF-03', 'Display cabinet', '749.00', '371.00'],
  ['SOF-01', 'Two-seat sofa', '1190.00', '590.00'],
  ['SOF-02', 'Three-seat sofa', '1590.00', '802.50'],
  ['SOF-03', 'Footstool', '139.00', '58.10'],
  ['BED-01', 'Queen bed frame', '849.00', '412.00'],
  ['BED-02', 'Bedside table', '179.00', '79.60'],
  ['STO-01', 'Filing cabinet', '219.00', '98.40'],
  ['STO-02', 'Shoe rack', '89.00', '36.15'],
  ['TXT-01', 'Wool rug', '459.00', '213.70'],
  ['TXT-02', 'Cushion', '39.90', '14.85'],
  ['MIR-01', 'Wall mirror', '159.00', '68.90'],
  ['SRV-01', 'Assembly', '80.00', null],
  ['SRV-02', 'Delivery', '95.00', null],
  ['SRV-03', 'Room planning', '220.00', null],
  ['PKG-01', 'Packing blankets', null, '18.90'],
  ['PKG-02', 'Cartons, box of 25', null, '44.00'],
  ['OLD-01', 'Folding screen', '199.00', '92.00'],
];

const CONSULTING: readonly Good[] = [
  ['HRS-01', 'Consulting hour', '165.00', null],
  ['HRS-02', 'Senior consulting hour', '240.00', null],
  ['HRS-03', 'Partner hour', '380.00', null],
  ['HRS-04', 'Analyst hour', '125.00', null],
  ['DAY-01', 'Workshop day', '1850.00', null],
  ['DAY-02', 'On-site day', '1620.00', null],
  ['DAY-03', 'Training day', '1480.00', null],
  ['FIX-01', 'Process review', '4200.00', null],
  ['FIX-02', 'Security audit', '5600.00', null],
  ['FIX-03', 'Cost study', '3900.00', null],
  ['FIX-04', 'Market study', '4750.00', null],
  ['FIX-05', 'Board report', '2200.00', null],
  ['FIX-06', 'Interim report', '1100.00', null],
  ['FIX-07', 'Data migration', '3350.00', null],
  ['RET-01', 'Monthly retainer', '2500.00', null],
  ['RET-02', 'Support plan', '690.00', null],
  ['RET-03', 'Hotline month', '320.00', null],
  ['LIC-01', 'Planning software seat', '58.00', '41.00'],
  ['LIC-02', 'Reporting software seat', '36.00', '24.50'],
  ['LIC-03', 'Survey software month', '129.00', '96.00'],
  ['TRV-01', 'Travel, flat rate', '280.00', '210.00'],
  ['TRV-02', 'Accommodation night', '260.00', '198.00'],
  ['TRV-03', 'Kilometre', '0.88', '0.78'],
  ['SUB-01', 'Contractor hour', '150.00', '98.00'],
  ['SUB-02', 'Translator hour', '110.00', '72.00'],
  ['SUB-03', 'Designer day', '980.00', '740.00'],
  ['DOC-01', 'Printed handbook', '45.00', '17.60'],
  ['DOC-02', 'Course folder', '28.00', '9.90'],
  ['OFF-01', 'Paper, box', null, '32.50'],
  ['OFF-02', 'Meeting catering', null, '185.00'],
  ['OFF-03', 'Room hire day', null, '420.00'],
  ['OLD-01', 'Fax support', '15.00', null],
];

export const CATALOGUE: Readonly<Record<Trade, readonly Good[]>> = {
  furniture: FURNITURE,
  consulting: CONSULTING,
};

/** No longer sold: still a record, but on no document. */
export const isRetired = ([code]: Good): boolean => code.startsWith('OLD');
