import { freePort, lineOf, startProcess } from '../../../chaos/processes.js';
import { send } from './graphql.js';
import { copySample, installVendure } from './install.js';

/** The code of a payment method that settles any payment. */
export const PAYMENT_METHOD = 'test-payment';

const LOGIN = 'mutation { login(username: "superadmin", password: "superadmin") { __typename } }';

const ROLE = 'books';
/** The permissions that the documentation asks for. */
const PERMISSIONS = [
  'ReadOrder',
  'ReadCustomer',
  'ReadCatalog',
  'ReadChannel',
  'CreateCustomer',
  'CreateProduct',
];

/** A real Vendure server with its sample shop: its owner's API (`admin`), and a key for this service. */
export async function startShop(tell) {
  const { server, home } = await installVendure(tell);
  const { database, remove } = copySample();
  const port = await freePort();
  tell('starting Vendure');
  const args = ['--home', home, '--database', database, '--port', String(port)];
  const child = startProcess(server, { args, env: { NODE_ENV: 'test' } });
  const stop = () => {
    child.kill('SIGKILL');
    remove();
  };
  try {
    await lineOf(child, /^ready$/m);
    const url = `http://127.0.0.1:${port}`;
    const admin = await logIn(`${url}/admin-api`);
    await addPaymentMethod(admin);
    return { url, admin, apiKey: await createKey(admin), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function logIn(address) {
  const { headers } = await send(address, { query: LOGIN });
  const own = { authorization: `Bearer ${headers.get('vendure-auth-token')}` };
  return async (query, variables) => (await send(address, { query, variables, headers: own })).data;
}

async function addPaymentMethod(admin) {
  const automatic = [{ name: 'automaticSettle', value: 'true' }];
  await admin('mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }', {
    input: {
      code: PAYMENT_METHOD,
      enabled: true,
      handler: { code: 'dummy-payment-handler', arguments: automatic },
      translations: [{ languageCode: 'en', name: 'Test payment', description: '' }],
    },
  });
}

/** A key with only the permissions that the documentation asks for. */
export async function createKey(admin) {
  const { roles } = await admin(
    `{ roles(options: { filter: { code: { eq: "${ROLE}" } } }) { items { id } } }`,
  );
  const roleId = roles.items[0]?.id ?? (await createRole(admin));
  const input = { roleIds: [roleId], translations: [{ languageCode: 'en', name: 'books' }] };
  const { createApiKey } = await admin(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey } }',
    { input },
  );
  return createApiKey.apiKey;
}

async function createRole(admin) {
  const role = await admin('mutation ($input: CreateRoleInput!) { createRole(input: $input) { id } }', {
    input: { code: ROLE, description: 'For the books', permissions: PERMISSIONS },
  });
  const { id } = role.createRole;
  // Whoever creates a key can only give it their own roles.
  const { activeAdministrator: owner } = await admin('{ activeAdministrator { id user { roles { id } } } }');
  await admin('mutation ($input: UpdateAdministratorInput!) { updateAdministrator(input: $input) { id } }', {
    input: { id: owner.id, roleIds: [...owner.user.roles.map((own) => own.id), id] },
  });
  return id;
}
