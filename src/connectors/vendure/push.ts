import { type WriteProblem } from '../../errors.js';
import { fromWirePath } from '../../base/names.js';
import { type RecordDefinition, ecommerceCustomer, ecommerceProduct } from '../../records/index.js';
import { type PlatformObject } from '../platform.js';
import { choice, itemOf } from '../inputs/fields.js';
import { partsOfName, shopCustomerShape, shopProductShape } from '../inputs/shop.js';
import { excerptOf } from '../client/platform-errors.js';
import { objectOf, objectsIn, textOf } from '../values/platform-values.js';
import {
  bodyOf,
  type PushResource,
  type PushScheme,
  type RefusedWrite,
  type WriteForm,
  writeForm,
} from '../push.js';
import { CREATED, errorIn, refusalIn } from './answers.js';
import { ADMIN_API, VENDURE_TITLE } from './client.js';
import { CUSTOMER_FIELDS } from './mappers/customer.js';
import { PRODUCT_FIELDS } from './mappers/product.js';
import { dataOf } from './query.js';

/** The mutation that creates an object and reads it like its list does. */
const creating = (mutation: string, input: string, selection: string): string =>
  `mutation ($input: ${input}!) { ${CREATED}: ${mutation}(input: $input) { ${selection} } }`;

const request = (query: string, input: PlatformObject) => ({
  method: 'POST' as const,
  path: ADMIN_API,
  body: { query, variables: { input } },
});

/**
 * A kind that can be created. Vendure has no idempotency keys and no field to find a created object by, so a request
 * without a response is never sent again.
 */
const vendurePush = (definition: RecordDefinition, create: WriteForm): PushResource => ({
  definition,
  create,
  update: null,
  reads: [],
  written: (answer) => {
    const made = objectOf(dataOf(answer)[CREATED]);
    return made && textOf(made['id']) !== null ? made : null;
  },
  refusal: refusalOf,
});

const { address: _address, ...customerShape } = shopCustomerShape;
const CREATE_CUSTOMER = creating(
  'createCustomer',
  'CreateCustomerInput',
  `... on Customer { id updatedAt ${CUSTOMER_FIELDS} } ... on ErrorResult { errorCode message }`,
);

/** Without the address: it needs a second call, which would create a duplicate if repeated. */
const customer = vendurePush(
  ecommerceCustomer,
  writeForm(itemOf(customerShape, ['email']), ({ name, email, phone, raw_data }) => {
    const { first, last } = partsOfName(name);
    const fields = { emailAddress: email, firstName: first, lastName: last, phoneNumber: phone };
    return request(CREATE_CUSTOMER, bodyOf({ firstName: '', lastName: '', ...raw_data }, fields));
  }),
);

const CREATE_PRODUCT = creating('createProduct', 'CreateProductInput', `id updatedAt ${PRODUCT_FIELDS}`);
/** Vendure's own default. */
const LANGUAGE = 'en';

const product = vendurePush(
  ecommerceProduct,
  writeForm(
    itemOf({ ...shopProductShape, status: choice(['ACTIVE', 'ARCHIVED']) }, ['name']),
    ({ name, description, status, raw_data: { languageCode = LANGUAGE, translations, ...more } = {} }) => {
      const given = objectsIn(translations);
      const own = given.find((translation) => translation['languageCode'] === languageCode);
      // Vendure makes the slug unique.
      const named = bodyOf({ slug: name, description: '', ...own }, { languageCode, name, description });
      const fields = {
        enabled: status && status === 'ACTIVE',
        translations: [named, ...given.filter((translation) => translation !== own)],
      };
      return request(CREATE_PRODUCT, bodyOf({ enabled: true, ...more }, fields));
    },
  ),
);

/** Supported writes. */
export const vendurePushes: PushScheme = { idempotencyKey: null, resources: [customer, product] };

const STRANGE_FIELD = /Field "(\w+)" is not defined/;

/** Why Vendure refused a write: a GraphQL error, or an error result in place of the created object. */
function refusalOf({ body, text }: RefusedWrite): WriteProblem {
  const refused = refusalIn(body);
  const error = errorIn(body);
  const words = refused?.words ?? error?.words ?? null;
  const problem = { words: words ?? excerptOf(text), path: [], platformError: words ?? excerptOf(text) };
  switch (refused?.code ?? error?.code) {
    case 'EMAIL_ADDRESS_CONFLICT_ERROR':
      return { ...problem, code: 'record-already-exists', path: ['email'] };
    case 'FORBIDDEN':
      return { ...problem, code: 'operation-denied', words: `Operation Denied: ${problem.words}` };
    case 'BAD_USER_INPUT':
    case 'USER_INPUT_ERROR': {
      const field = STRANGE_FIELD.exec(problem.words)?.[1];
      return { ...problem, code: 'invalid-params', path: field === undefined ? [] : fromWirePath([field]) };
    }
    default:
      return {
        ...problem,
        code: 'platform-denied',
        words: `${VENDURE_TITLE} refused the write: ${problem.words}`,
      };
  }
}
