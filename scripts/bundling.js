/** How esbuild makes one file of modules and packages. What is seldom used stays outside, in packages. */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: [
    '@aws-sdk/*',
    '@opentelemetry/*',
    '@prisma/client/runtime/query_compiler*',
    // Only for configurations in TypeScript.
    'typescript',
  ],
  // Messages and checks ask classes and functions for their names.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
};
