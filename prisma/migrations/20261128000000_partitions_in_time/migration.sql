-- What waits for a lock on the change log holds up everything behind it: all storing, until a backup had ended.
CREATE OR REPLACE FUNCTION svc_ensure_change_partitions(months_ahead INT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  month TIMESTAMPTZ := date_trunc('month', now());
  partition_name TEXT;
BEGIN
  FOR i IN 0..months_ahead LOOP
    partition_name := 'record_changes_' || to_char(month, '"y"YYYY"m"MM');
    IF to_regclass('public.' || partition_name) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE public.%I PARTITION OF public.record_changes FOR VALUES FROM (%L) TO (%L)',
                       partition_name, month, month + interval '1 month');
      EXCEPTION
        WHEN duplicate_table THEN NULL; -- another process was faster
        -- A backup or an export reads the log, and whoever waits behind this would wait as long: the next hour tries again.
        WHEN lock_not_available THEN RETURN;
        WHEN check_violation THEN NULL; -- rows of that month stand in the default partition already
      END;
    END IF;
    month := month + interval '1 month';
  END LOOP;
END;
$$;
