/** How esbuild bundles modules and packages. Rarely used packages stay external. */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: [
    '@aws-sdk/*',
    '@opentelemetry/*',
    '@prisma/client/runtime/query_compiler*',
    // Only used for TypeScript configuration files.
    'typescript',
  ],
  // Messages and checks use the names of classes and functions.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
};
