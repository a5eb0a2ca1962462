declare module 'aws4' {
  const aws4: {
    /** AWS Signature Version 4 of a request; it has no types of its own. */
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
