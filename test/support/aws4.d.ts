declare module 'aws4' {
  const aws4: {
    /** Signs a request with AWS Signature Version 4. The package has no types. */
    sign(
      request: {
        readonly method: string;
        readonly host: string;
        readonly path: string;
        readonly service: string;
        readonly region: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly extraHeadersToInclude: Readonly<Record<string, true>>;
      },
      credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
    ): { readonly headers: { readonly Authorization: string } };
  };
  export default aws4;
}
