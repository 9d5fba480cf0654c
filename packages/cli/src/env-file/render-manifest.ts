import { Buffer } from 'node:buffer'
import { toVariableText } from '@signalbox/contract'
import { CliError } from '../terminal/cli-error.ts'
import type { CollectedEntry } from './entries.ts'
import { renderYamlLines } from './render-data.ts'

/** Lists the values of `--format` that write a Kubernetes object. */
export const manifestFormats = ['k8s-secret', 'k8s-configmap'] as const
/** Names a Kubernetes object that values are written to. */
export type ManifestFormat = (typeof manifestFormats)[number]

/** Describes a Kubernetes object to render. */
export interface Manifest {
  readonly format: ManifestFormat
  readonly name: string
  readonly namespace: string | undefined
  readonly schema: string
  readonly environment: string
  readonly version: number
  readonly entries: readonly CollectedEntry[]
}

/** Kubernetes refuses a Secret or a ConfigMap with more bytes of values (MaxSecretSize). */
const maxBytes = 1024 * 1024
/** Kubernetes refuses annotations with more bytes, and `kubectl apply` keeps the whole object in one. */
const maxAppliedBytes = 256 * 1024

/** Matches the name of a Secret or ConfigMap: a DNS subdomain (RFC 1123). */
const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
/** Matches the name of a namespace: a DNS label. */
const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Returns whether `format` writes a Kubernetes object. */
export function isManifestFormat(format: string): format is ManifestFormat {
  return manifestFormats.some((each) => each === format)
}

/** Returns the variables that belong into an object: secrets into a Secret, and all others into a ConfigMap. */
export function entriesOf(
  format: ManifestFormat,
  entries: readonly CollectedEntry[],
): CollectedEntry[] {
  return entries.filter(({ tier }) => (tier === 'secret') === (format === 'k8s-secret'))
}

/**
 * Renders a Secret or a ConfigMap. Equal values give equal text. A Secret has its values in `data`, in Base64, because
 * `kubectl apply` does not remove a variable that disappears from `stringData`.
 *
 * @throws {CliError} `invalid_name` for names that Kubernetes refuses, `object_too_large` above 1 MiB
 */
export function renderManifest(manifest: Manifest): string {
  const { format, name, namespace, entries } = manifest
  if (name.length > 253 || !objectName.test(name)) throw invalidName('name', name)
  if (namespace !== undefined && !namespaceName.test(namespace)) {
    throw invalidName('namespace', namespace)
  }
  const values = entries.map((entry) => [entry.name, toVariableText(entry.value)] as const)
  const bytes = values.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0)
  if (bytes > maxBytes) throw tooLarge(format, bytes)
  const isSecret = format === 'k8s-secret'
  const data = new Map(
    values.map(([variable, value]) => [
      variable,
      isSecret ? Buffer.from(value, 'utf8').toString('base64') : value,
    ]),
  )
  return [
    '# Written by "signalbox pull". Do not edit: the next pull replaces it.',
    'apiVersion: v1',
    `kind: ${isSecret ? 'Secret' : 'ConfigMap'}`,
    'metadata:',
    ...indent(renderYamlLines(new Map([['name', name]]))),
    ...(namespace === undefined
      ? []
      : indent(renderYamlLines(new Map([['namespace', namespace]])))),
    '  labels:',
    '    app.kubernetes.io/managed-by: signalbox',
    '  annotations:',
    ...indent(indent(renderYamlLines(annotationsOf(manifest)))),
    ...(isSecret ? ['type: Opaque'] : []),
    ...(data.size === 0 ? ['data: {}'] : ['data:', ...indent(renderYamlLines(data))]),
    '',
  ].join('\n')
}

/** Returns whether plain `kubectl apply` refuses the object, because it copies it into an annotation. */
export function needsServerSideApply(text: string): boolean {
  return Buffer.byteLength(text) > maxAppliedBytes - 1024
}

function annotationsOf({ schema, environment, version }: Manifest): Map<string, string> {
  return new Map([
    ['signalbox.dev/schema', schema],
    ['signalbox.dev/environment', environment],
    ['signalbox.dev/version', String(version)],
  ])
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function invalidName(flag: 'name' | 'namespace', name: string): CliError {
  return new CliError(
    'usage',
    'invalid_name',
    `Kubernetes does not accept the ${flag} "${name}".`,
    {
      advice: `Use lower-case letters, digits and "-", beginning and ending with a letter or digit: --${flag} my-app`,
    },
  )
}

function tooLarge(format: ManifestFormat, bytes: number): CliError {
  const kind = format === 'k8s-secret' ? 'Secret' : 'ConfigMap'
  return new CliError(
    'validation',
    'object_too_large',
    `The values have ${bytes} bytes, and Kubernetes accepts ${maxBytes} (1 MiB) in one ${kind}.`,
    { advice: 'Divide the keys among several schemas, or shorten the largest values.' },
  )
}
