/** Products that orders contain: item id, name, price. */
export const GOODS = [
  ['40112', 'Copper kettle', '129.00'],
  ['40113', 'Frying pan', '89.50'],
  ['40117', 'Saucepan, set of three', '219.00'],
  ['40120', 'Chopping board', '44.90'],
  ['40126', 'Linen apron', '59.00'],
  ['40131', 'Coffee mill', '112.40'],
  ['40135', 'Tea towel', '14.90'],
] as const;

/** Other products, each in all materials. */
export const OTHER_GOODS = [
  'Mixing bowl',
  'Tea caddy',
  'Serving tray',
  'Rolling pin',
  'Trivet',
  'Ladle',
] as const;
export const MATERIALS = ['Oak', 'Brass', 'Steel', 'Stone', 'Enamel'] as const;
