/** What PostgreSQL tells the processes that send events: that an organisation's log has grown. */
export const WAKE_CHANNEL = 'svc_events';

/** An expression that tells them when its transaction commits, once however often it is evaluated. */
export const WAKE_SQL = `pg_notify('${WAKE_CHANNEL}', '')`;
