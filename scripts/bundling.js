/** How esbuild bundles modules and packages. Rarely used packages stay external. */
export const BUNDLING = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: [
    '@aws-sdk/*',
    // Not its api, which every process loads, and whose copies share what is registered with one of them.
    ...['context-async-hooks', 'core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace'].map(
      (name) => `@opentelemetry/${name}`,
    ),
    '@prisma/client/runtime/query_compiler*',
    // Only used for TypeScript configuration files.
    'typescript',
  ],
  // Messages and checks use the names of classes and functions.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
};
