# syntax=docker/dockerfile:1
# The service without embedded PostgreSQL, about 160 MB on top of Node: see docs/deployment.md.
ARG NODE=24-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /app
# Installed again only when the lock file changes.
COPY package.json package-lock.json .npmrc ./
COPY scripts/ensure.js scripts/flags.js scripts/lock.js ./scripts/
RUN node scripts/ensure.js --until install
COPY . .
RUN node scripts/ensure.js

FROM node:${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund --omit=dev --omit=optional

FROM node:${NODE}
# Health and metrics have a port of their own, so that a worker has them, too.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    METRICS_ADDRESS=0.0.0.0:9464 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/docs/openapi.json ./docs/openapi.json
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/schema.graphql ./schema.graphql
COPY --from=build /app/scripts ./scripts
# All that is ever written; everything else may be read-only. Of the group root, as which OpenShift runs any user.
RUN install -d -o node -g root -m 770 /data
VOLUME /data
USER node
EXPOSE 4000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node handles the signals of a first process itself; the flags are those of `npm start`.
CMD ["node", "--max-semi-space-size=32", "--no-allocation-site-pretenuring", "--heap-growing-percent=30", "dist/main.js"]
