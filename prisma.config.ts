import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  // `prisma generate` needs no database; Studio is started by `npm run studio`, which sets the address.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://none' },
});
