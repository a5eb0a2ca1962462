-- Wakes who follows: tells at commit which table of which organisation has news, once a transaction. What happened is read
-- from the tables; a wake that is lost delays it and loses nothing.
CREATE FUNCTION svc_wake() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('svc_wake', NEW.svc_organisation_id || ' ' || TG_TABLE_NAME);
  RETURN NULL;
END
$$;

CREATE TRIGGER svc_wake AFTER UPDATE OF position ON change_heads
  FOR EACH ROW WHEN (NEW.position > OLD.position) EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake AFTER UPDATE OF state ON syncs
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state) EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake AFTER UPDATE ON sync_jobs
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state OR NEW.pages IS DISTINCT FROM OLD.pages) EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake AFTER UPDATE OF state ON uploads
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state) EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake AFTER UPDATE OF state ON upload_items
  FOR EACH ROW WHEN (NEW.state IS DISTINCT FROM OLD.state) EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake AFTER UPDATE OF status, sync_status ON connections
  FOR EACH ROW WHEN (NEW.status IS DISTINCT FROM OLD.status OR NEW.sync_status IS DISTINCT FROM OLD.sync_status)
  EXECUTE FUNCTION svc_wake();
CREATE TRIGGER svc_wake_new AFTER INSERT ON connections FOR EACH ROW EXECUTE FUNCTION svc_wake();
