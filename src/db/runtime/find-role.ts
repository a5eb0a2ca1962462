import type pg from 'pg';
import { ownRelations } from '../own-relations.js';

interface Role {
  readonly name: string;
  /** Whether row-level security would not apply to it. */
  readonly isMighty: boolean;
}

/** The role of that name; without one, that of the session. */
export async function findRole(client: pg.Client, name: string | null = null): Promise<Role | undefined> {
  const { rows } = await client.query<Role>(
    `SELECT r.rolname AS name, r.rolsuper OR r.rolbypassrls OR EXISTS (
       SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($2)
         AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS "isMighty"
     FROM pg_roles r WHERE r.rolname = coalesce($1, current_user)`,
    [name, ownRelations()],
  );
  return rows[0];
}

/** Why a mighty role may not carry out requests. */
export const tooMighty = (name: string | undefined): string =>
  `${name} is a superuser, bypasses row-level security or owns the tables`;
