import { invalid } from '../errors.js';
import { type Connector } from './connector.js';
import { xero } from './xero/index.js';

/** Every platform that can be connected. */
export const connectors: readonly Connector[] = [xero];

/** The connector of an integration type, as contract section 4 spells it. */
export function connectorFor(integrationType: string): Connector {
  const connector = connectors.find((candidate) => candidate.integrationType === integrationType);
  if (connector) return connector;
  const available = connectors.map((candidate) => candidate.integrationType).join(', ');
  throw invalid('integration_type', `integration_type must be one of ${available}, got ${integrationType}`);
}
