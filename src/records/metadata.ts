import { graphqlOnly, json, svcId, text, timestamp, version } from './fields.js';

/** Common record metadata, Reference 2.2. */
export const metadata = {
  svcId: svcId('svc_id'),
  svcCompanyId: svcId('svc_company_id'),
  svcOrganisationId: svcId('svc_organisation_id'),
  svcIntegrationType: text('svc_integration_type'),
  svcCreatedAt: timestamp('svc_created_at'),
  svcUpdatedAt: timestamp('svc_updated_at'),
  svcDeletedAt: timestamp('svc_deleted_at'),
  platformId: text('platform_id'),
  platformUniqueId: text('platform_unique_id'),
  connectionId: graphqlOnly(svcId('connection_id')),
  rawData: json('raw_data'),
  dataHash: text('data_hash'),
  version: graphqlOnly(version('version')),
} as const;

/** The subset for lines: a line belongs to its parent record. */
export const lineMetadata = {
  svcId: metadata.svcId,
  svcCompanyId: metadata.svcCompanyId,
  connectionId: metadata.connectionId,
  platformId: metadata.platformId,
} as const;

/** The subset for companies. */
export const companyMetadata = {
  svcId: metadata.svcId,
  svcCreatedAt: metadata.svcCreatedAt,
  svcUpdatedAt: metadata.svcUpdatedAt,
} as const;

/** Columns that only the service itself reads. */
export type InternalColumn =
  | 'revision'
  | 'rawDataAltered'
  | 'mapperVersion'
  | 'platformVersion'
  | 'unresolved'
  | 'svcOrganisationId'
  | 'parentSvcId'
  | 'position';
