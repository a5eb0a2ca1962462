// Small helpers for the syntax tree of a schema, and names of types for descriptions.
import { Kind, parse } from 'graphql';

/** Parses definitions. */
export const definitionsFrom = (text) => parse(text, { noLocation: true }).definitions;
/** Parses fields of a type. */
export const fieldsFrom = (text) => definitionsFrom(`type T {\n${text}\n}`)[0].fields;
/** Parses arguments of a field. */
export const argumentsFrom = (text) => fieldsFrom(`field(${text}): Int`)[0].arguments;

export const nameOf = (type) => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));
export const isList = (type) =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
export const implementsType = (type, name) =>
  type.interfaces?.some((one) => one.name.value === name) ?? false;

/** The arguments of a directive; null where it is absent. */
export function directiveOf(node, name) {
  const found = node.directives?.find((one) => one.name.value === name);
  return found
    ? Object.fromEntries(found.arguments.map((argument) => [argument.name.value, argument.value.value]))
    : null;
}

export const lower = (name) => name[0].toLowerCase() + name.slice(1);
export const upper = (name) => name[0].toUpperCase() + name.slice(1);
/** `svcId` is `SVC_ID`. */
export const capitals = (name) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
export const plural = (name) => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`);
/** `InvoicePayment` is `invoice payment`. */
export const words = (name) =>
  name.replace(/(?<!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
export const article = (noun) => (/^[aeiou]/.test(noun) ? 'an' : 'a');
