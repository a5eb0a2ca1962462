import { type Contact, type Kept, type Place } from '../domain.js';
import { type ZohoOrganization } from '../organization.js';
import { type Body, listIn, namedIn, objectIn, refuse, textIn } from './body.js';

/** The fields of a contact that a request has, over those that there are. */
export function contactOf(
  { contacts, currencies }: ZohoOrganization,
  body: Body,
  before: Contact | null,
): Omit<Contact, keyof Kept> {
  const name = textIn(body, 'contact_name', 200);
  if (name === '') refuse(15, 'contact_name is required');
  if (contacts.some((one) => one !== before && one.name.toLowerCase() === name.toLowerCase())) {
    refuse(3062, `The contact with the name ${name} already exists. Specify a different name.`);
  }
  const kind = textIn(body, 'contact_type') || (before?.kind ?? 'customer');
  if (kind !== 'customer' && kind !== 'vendor') return refuse(2, 'Invalid value passed for contact_type');
  const currency = namedIn(currencies, body, 'currency_id') ?? before?.currency ?? currencies[0];
  if (!currency) throw new Error('there are no currencies');
  const billing = objectIn(body, 'billing_address');
  const shipping = objectIn(body, 'shipping_address');
  return {
    kind,
    name,
    ...personIn(body, before),
    website: 'website' in body ? textIn(body, 'website', 200) : (before?.website ?? ''),
    taxNumber: 'gst_no' in body ? textIn(body, 'gst_no') : (before?.taxNumber ?? ''),
    currency,
    billing: billing ? placeIn(billing) : (before?.billing ?? null),
    fax: billing ? textIn(billing, 'fax', 50) : (before?.fax ?? ''),
    shipping: shipping ? placeIn(shipping) : (before?.shipping ?? null),
    remarks: 'notes' in body ? textIn(body, 'notes') : (before?.remarks ?? ''),
    isActive: before?.isActive ?? true,
  };
}

/** The primary person; those that a request has are all there are. */
function personIn(body: Body, before: Contact | null) {
  const persons = listIn(body, 'contact_persons');
  if (persons.length === 0) {
    const { firstName = '', lastName = '', email = '', phone = '', mobile = '' } = before ?? {};
    return { firstName, lastName, email, phone, mobile };
  }
  const id = before && `${before.id}1`;
  const known = persons.find((person) => textIn(person, 'contact_person_id') === id);
  const person = known ?? persons.find((one) => one['is_primary_contact'] === true) ?? {};
  const email = textIn(person, 'email', 100);
  if (email !== '' && !/^\S+@\S+\.\S+$/.test(email)) refuse(15, 'Please enter a valid email address.');
  return {
    firstName: textIn(person, 'first_name', 100),
    lastName: textIn(person, 'last_name', 100),
    email,
    phone: textIn(person, 'phone', 50),
    mobile: textIn(person, 'mobile', 50),
  };
}

function placeIn(place: Body): Place | null {
  const [address, street2, city, state, zip, country] = [
    textIn(place, 'address', 500),
    textIn(place, 'street2', 255),
    textIn(place, 'city', 100),
    textIn(place, 'state', 100),
    textIn(place, 'zip', 50),
    textIn(place, 'country', 100),
  ];
  const isEmpty = [address, street2, city, state, zip, country].every((part) => part === '');
  return isEmpty ? null : { address, street2, city, state, zip, country };
}
