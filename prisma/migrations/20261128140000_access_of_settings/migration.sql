-- What a company withholds of a record type, whatever its platform permits; null where nothing was said.
ALTER TABLE "sync_configs" ADD COLUMN     "may_read" BOOLEAN,
ADD COLUMN     "may_create" BOOLEAN,
ADD COLUMN     "may_update" BOOLEAN,
ADD COLUMN     "may_delete" BOOLEAN;
