import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Item, type ItemType } from '../domain.js';
import { kept } from './kept.js';
import { accountNamed } from './settings.js';
import { codeOf } from './taxes.js';

interface Start {
  readonly name: string;
  readonly type: ItemType;
  readonly price?: string;
  readonly cost?: string;
  readonly sku?: string;
  readonly stock?: string;
  readonly isTaxed?: boolean;
  readonly category?: boolean;
  readonly inactive?: boolean;
}

const ITEMS: readonly Start[] = [
  { name: 'Design', type: 'Category' },
  {
    name: 'Rock Fountain',
    type: 'Inventory',
    price: '275',
    cost: '125',
    sku: 'RF-1',
    stock: '2',
    isTaxed: true,
  },
  {
    name: 'Pump',
    type: 'Inventory',
    price: '15',
    cost: '10.25',
    sku: 'P461-17',
    stock: '25.5',
    isTaxed: true,
  },
  { name: 'Gardening', type: 'Service', price: '35.5' },
  { name: 'Hours', type: 'Service', price: '0', category: true },
  { name: 'Concrete', type: 'NonInventory', price: '4.123456', cost: '3.9', isTaxed: true },
  { name: 'Garden Supplies', type: 'NonInventory', cost: '25' },
  { name: 'Fountain with pump', type: 'Group', sku: 'SET-1' },
  { name: 'Sod', type: 'Inventory', price: '10', cost: '8', stock: '-3', isTaxed: true, inactive: true },
];

export function makeItems(company: QuickbooksCompany): void {
  const { shelves } = company;
  const decimal = (text: string | undefined) => (text === undefined ? null : new Decimal(text));
  for (const [index, start] of ITEMS.entries()) {
    const { name, type, price, cost, isTaxed = false, inactive = false } = start;
    const sells =
      price === undefined ? null : type === 'Service' ? 'Landscaping Services' : 'Sales of Product Income';
    const item: Item = {
      ...kept(String(index + 1), index),
      name: inactive ? `${name} (deleted)` : name,
      active: !inactive,
      type,
      sku: start.sku ?? null,
      description: price === undefined ? null : `${name}, as sold`,
      purchaseDescription: cost === undefined ? null : `${name}, as bought`,
      unitPrice: decimal(price),
      purchaseCost: decimal(cost),
      income: sells === null ? null : accountNamed(company, sells),
      expense: cost === undefined ? null : accountNamed(company, 'Cost of Goods Sold'),
      asset: type === 'Inventory' ? accountNamed(company, 'Inventory Asset') : null,
      inStock: decimal(start.stock),
      category: start.category ? (shelves.Item[0] ?? null) : null,
      salesTax: isTaxed ? codeOf(company, '2') : null,
      purchaseTax: isTaxed && index % 2 === 1 ? codeOf(company, '5') : null,
    };
    shelves.Item.push(item);
  }
}
