import type { Answer } from '../api/operations.ts'

/** Describes what there is to say of the database. */
export interface StorageJudgement {
  readonly state: 'ok' | 'warning'
  readonly detail: string
  /** Holds advice. */
  readonly next?: string
}

/** A minor release of PostgreSQL comes every three months, and fixes published bugs. */
const oldAfterDays = 100

/** Judges what a failover would lose, and the age of the release. Only that of the packaged one is known. */
export function judgeStorage(
  { engine, version, releasedOn, waitsForStandby }: Answer<'getServerStatus'>['storage'],
  now: Date,
): StorageJudgement {
  const name = `PostgreSQL ${version}${engine === 'embedded' ? ', embedded' : ''}`
  if (waitsForStandby === false) {
    return {
      state: 'warning',
      detail: `${name}: a failover can lose writes that were acknowledged, because no commit waits for a standby`,
      next: 'Set synchronous_standby_names at the primary, or synchronous_mode of Patroni. Leave it where the provider replicates the disk synchronously, or there is no standby',
    }
  }
  if (releasedOn === null) return { state: 'ok', detail: name }
  const days = Math.floor((now.getTime() - Date.parse(releasedOn)) / 86_400_000)
  const detail = `${name}, released on ${releasedOn}, ${days} days ago`
  if (days <= oldAfterDays) return { state: 'ok', detail }
  return {
    state: 'warning',
    detail: `${detail}: newer versions fix published vulnerabilities`,
    next: 'Install a newer release of the same major version and name it in SIGNALBOX_POSTGRES_BIN, or use DATABASE_URL',
  }
}
