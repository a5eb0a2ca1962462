-- Runs of the job of every minute have a queue, so that they follow one another: while one lasts, the next is added as a job
-- of its own, and both ran at a time.
CREATE OR REPLACE FUNCTION svc_add_every_minute() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job('every_minute', queue_name := 'every_minute',
    run_at := date_trunc('minute', now()) + interval '1 minute',
    job_key := 'every_minute', job_key_mode := 'preserve_run_at');
END
$$;
