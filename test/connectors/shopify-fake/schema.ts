import { buildSchema } from 'graphql';

/** The part of the GraphQL Admin API 2026-10 that is read, as far as it is described here. */
export const SCHEMA_TEXT = `
schema { query: QueryRoot }

scalar DateTime
scalar Decimal
scalar URL

enum CurrencyCode { EUR JPY USD }
enum CountryCode { DE GB US }
enum OrderSortKeys { CREATED_AT ID PROCESSED_AT UPDATED_AT }
enum CustomerSortKeys { CREATED_AT ID UPDATED_AT }
enum ProductSortKeys { CREATED_AT ID TITLE UPDATED_AT }
enum ProductVariantSortKeys { ID SKU TITLE }
enum OrderDisplayFinancialStatus { AUTHORIZED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderTransactionKind { AUTHORIZATION CAPTURE REFUND SALE SUGGESTED_REFUND VOID }
enum OrderTransactionStatus { ERROR FAILURE PENDING SUCCESS }
enum OrderTransactionErrorCode { CARD_DECLINED EXPIRED_CARD }
enum FulfillmentStatus { CANCELLED OPEN SUCCESS }
enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }

interface Node { id: ID! }

type QueryRoot {
  orders(first: Int, after: String, query: String, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
  customers(first: Int, after: String, query: String, sortKey: CustomerSortKeys = ID): CustomerConnection!
  products(first: Int, after: String, query: String, sortKey: ProductSortKeys = ID): ProductConnection!
  productVariants(first: Int, after: String, query: String, sortKey: ProductVariantSortKeys = ID): ProductVariantConnection!
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  shop: Shop!
  currentAppInstallation: AppInstallation!
}

type PageInfo { hasNextPage: Boolean! endCursor: String }
type OrderConnection { nodes: [Order!]! pageInfo: PageInfo! }
type CustomerConnection { nodes: [Customer!]! pageInfo: PageInfo! }
type ProductConnection { nodes: [Product!]! pageInfo: PageInfo! }
type ProductVariantConnection { nodes: [ProductVariant!]! pageInfo: PageInfo! }
type LineItemConnection { nodes: [LineItem!]! pageInfo: PageInfo! }
type ShippingLineConnection { nodes: [ShippingLine!]! pageInfo: PageInfo! }

type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type MoneyBag { shopMoney: MoneyV2! presentmentMoney: MoneyV2! }
type TaxLine { title: String! priceSet: MoneyBag! }
type DiscountAllocation { allocatedAmountSet: MoneyBag! }

type Order implements Node {
  id: ID!
  name: String!
  number: Int!
  note: String
  poNumber: String
  createdAt: DateTime!
  updatedAt: DateTime!
  cancelledAt: DateTime
  closed: Boolean!
  currencyCode: CurrencyCode!
  taxesIncluded: Boolean!
  displayFinancialStatus: OrderDisplayFinancialStatus
  customer: Customer
  totalPriceSet: MoneyBag!
  totalTaxSet: MoneyBag
  totalDiscountsSet: MoneyBag
  totalOutstandingSet: MoneyBag!
  lineItems(first: Int, after: String): LineItemConnection!
  shippingLines(first: Int, after: String): ShippingLineConnection!
  shippingLine: ShippingLine
  transactions(first: Int): [OrderTransaction!]!
  fulfillments(first: Int): [Fulfillment!]!
}

type LineItem implements Node {
  id: ID!
  name: String!
  quantity: Int!
  product: Product
  originalUnitPriceSet: MoneyBag!
  discountAllocations: [DiscountAllocation!]!
  taxLines(first: Int): [TaxLine!]!
}

type ShippingLine {
  id: ID
  title: String!
  originalPriceSet: MoneyBag!
  discountAllocations: [DiscountAllocation!]!
  taxLines: [TaxLine!]!
}

type OrderTransaction implements Node {
  id: ID!
  kind: OrderTransactionKind!
  status: OrderTransactionStatus!
  gateway: String
  errorCode: OrderTransactionErrorCode
  createdAt: DateTime!
  amountSet: MoneyBag!
  fees: [TransactionFee!]!
  paymentDetails: PaymentDetails
}

type TransactionFee { amount: MoneyV2! }
union PaymentDetails = CardPaymentDetails | PaypalWalletPaymentDetails
type CardPaymentDetails { company: String }
type PaypalWalletPaymentDetails { paymentMethodName: String }

type Fulfillment implements Node {
  id: ID!
  status: FulfillmentStatus!
  createdAt: DateTime!
  updatedAt: DateTime!
  trackingInfo(first: Int): [FulfillmentTrackingInfo!]!
}

type FulfillmentTrackingInfo { company: String number: String url: URL }

type Customer implements Node {
  id: ID!
  firstName: String
  lastName: String
  createdAt: DateTime!
  updatedAt: DateTime!
  defaultEmailAddress: CustomerEmailAddress
  defaultPhoneNumber: CustomerPhoneNumber
  amountSpent: MoneyV2!
  defaultAddress: MailingAddress
}

type CustomerEmailAddress { emailAddress: String! }
type CustomerPhoneNumber { phoneNumber: String! }

type MailingAddress {
  address1: String
  address2: String
  city: String
  province: String
  zip: String
  countryCodeV2: CountryCode
  phone: String
}

type Product implements Node {
  id: ID!
  title: String!
  description(truncateAt: Int): String!
  status: ProductStatus!
  createdAt: DateTime!
  updatedAt: DateTime!
}

type ProductVariant implements Node {
  id: ID!
  displayName: String!
  sku: String
  inventoryQuantity: Int
  product: Product!
  inventoryItem: InventoryItem!
  createdAt: DateTime!
  updatedAt: DateTime!
}

type InventoryItem { tracked: Boolean! }

type Shop implements Node {
  id: ID!
  name: String!
  url: URL!
  contactEmail: String!
  myshopifyDomain: String!
  currencyCode: CurrencyCode!
  createdAt: DateTime!
  updatedAt: DateTime!
}

type AppInstallation { accessScopes: [AccessScope!]! }
type AccessScope { handle: String! }
`;

export const SCHEMA = buildSchema(SCHEMA_TEXT);
