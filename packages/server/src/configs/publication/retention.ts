import { dayMs, forgetSql, type RetentionRule } from '../../store/retention-rule.ts'

/** Forgets the last rows of browser snapshots that were withdrawn, long after every node has noticed. */
export const browserSnapshotRetention: RetentionRule = {
  keptMs: 7 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-browser-snapshots',
      text: forgetSql('browser_snapshots', 'body is null and created_at < $1'),
      values: [before, limit],
    }),
}

/** Forgets the last rows of server snapshots that were withdrawn, long after every node has noticed. */
export const serverSnapshotRetention: RetentionRule = {
  keptMs: 7 * dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-server-snapshots',
      text: forgetSql('server_snapshots', 'body is null and created_at < $1'),
      values: [before, limit],
    }),
}
