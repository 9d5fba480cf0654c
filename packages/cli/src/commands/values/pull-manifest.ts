import { basename, resolve } from 'node:path'
import type { StoredValues } from '../../api/operations.ts'
import type { GlobalFlags } from '../../cli-context.ts'
import type { Collected } from '../../env-file/entries.ts'
import {
  needsServerSideApply,
  renderManifest,
  type ManifestFormat,
} from '../../env-file/render-manifest.ts'
import { readExisting, writeSecretFile, type KeptFromGit } from '../../project/secret-file.ts'
import { writeFileAtomically } from '../../project/write-file.ts'
import type { Session } from '../../session.ts'
import type { SchemaTarget } from '../../target.ts'
import { countOf } from '../../terminal/count.ts'
import { confirmReplacing, warnAbout, warnOfGit } from './print-pull.ts'

/** Describes the Kubernetes object to write. */
export interface ManifestPull {
  readonly target: SchemaTarget
  readonly stored: StoredValues
  readonly collected: Collected
  readonly format: ManifestFormat
  readonly flags: GlobalFlags & {
    readonly output?: string | undefined
    readonly name?: string | undefined
    readonly namespace?: string | undefined
  }
}

/** Everybody may read a ConfigMap: it holds what browsers may see. */
const forAllUsers = 0o644

/**
 * Writes the secrets as a Kubernetes Secret, or the other values as a ConfigMap.
 */
export async function pullManifest(session: Session, pull: ManifestPull): Promise<void> {
  const { target, stored, collected, format, flags } = pull
  const { entries } = collected
  const name = flags.name ?? target.schema.name.toLowerCase()
  const text = renderManifest({
    format,
    name,
    namespace: flags.namespace,
    schema: target.schema.name,
    environment: target.environment.name,
    version: stored.version,
    entries,
  })
  const { output } = session
  warnAbout(session, collected)
  if (needsServerSideApply(text)) {
    output.warn('the object is larger than 256 KiB: apply it with kubectl apply --server-side')
  }
  if (flags.output === '-') {
    output.raw(text)
    return
  }
  const path = resolve(session.cwd, flags.output ?? `${format}.yaml`)
  const existing = await readExisting(path)
  if (existing !== '' && existing !== text && !flags.dryRun)
    await confirmReplacing(session, basename(path))
  const { ignoreFile, isExposed } = await writeManifest(session, path, text, pull)
  if (isExposed) warnOfGit(session, path)
  output.document({
    file: path,
    format,
    name,
    namespace: flags.namespace,
    environment: target.environment.name,
    version: stored.version,
    dryRun: flags.dryRun,
    variables: entries.map(({ name: variable, key, tier }) => ({ name: variable, key, tier })),
    missing: collected.missing,
    hidden: collected.hidden,
  })
  const summary = `${basename(path)}  ${target.environment.name} v${stored.version} · ${countOf(entries.length, 'value')} · ${format}`
  output.result(flags.dryRun ? `Would write ${summary}` : `${output.styles.green('✓')} ${summary}`)
  if (ignoreFile !== undefined) output.note(`    added to ${basename(ignoreFile)}`)
}

/** Keeps a Secret from git and from other users. A ConfigMap may be committed. */
async function writeManifest(
  session: Session,
  path: string,
  text: string,
  { format, flags }: ManifestPull,
): Promise<KeptFromGit> {
  const dryRun = flags.dryRun === true
  if (format === 'k8s-secret') {
    return writeSecretFile({ path, text, projectDirectory: session.cwd, dryRun })
  }
  if (!dryRun) await writeFileAtomically(path, text, forAllUsers)
  return { ignoreFile: undefined, isExposed: false }
}
