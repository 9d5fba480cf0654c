import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toVariableText } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandValues, nastyValues } from '../testing/nasty-values.ts'
import type { CollectedEntry } from './entries.ts'
import { type Manifest, needsServerSideApply, renderManifest } from './render-manifest.ts'

interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
  readonly data: Readonly<Record<string, string>>
}

const values = [
  ...nastyValues,
  ...commandValues,
  'on',
  'null',
  '0x1F',
  '1e3',
  '2026-11-26',
  '{{ template }}',
  '\u0007bell\u001B',
  'nel\u0085next line',
  'separator\u2028and\u2029',
  '\uFEFFmark',
  '\uFFFE\uFFFF',
]
const entries: CollectedEntry[] = values.map((value, index) => ({
  name: `V_${index}`,
  key: `v${index}`,
  tier: 'secret',
  value,
}))
const base: Manifest = {
  format: 'k8s-secret',
  name: 'web',
  namespace: 'shop',
  schema: 'web',
  environment: 'production',
  version: 42,
  entries,
}
const decode = (data: Readonly<Record<string, string>>) =>
  Object.values(data).map((text) => Buffer.from(text, 'base64').toString('utf8'))

describe('a Kubernetes object', () => {
  it('keeps names that YAML 1.1, which kubectl reads, takes for something else', () => {
    const names = ['ON', 'NO', 'Y', 'TRUE', 'NULL', 'ONCE']
    const named = names.map((name): CollectedEntry => {
      return { name, key: name.toLowerCase(), tier: 'public', value: name }
    })
    const text = renderManifest({ ...base, format: 'k8s-configmap', entries: named })
    const { data } = parse(text, { version: '1.1' }) as KubernetesObject
    expect(data).toEqual(Object.fromEntries(names.map((name) => [name, name])))
    expect(text).toContain('\n  ONCE: "ONCE"')
  })

  it('is read back with exactly the values, as a Secret and as a ConfigMap', () => {
    const secret = parse(renderManifest(base)) as KubernetesObject
    expect(secret).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: {
        name: 'web',
        namespace: 'shop',
        annotations: { 'signalbox.dev/version': '42', 'signalbox.dev/environment': 'production' },
      },
    })
    expect(decode(secret.data)).toEqual(values)
    for (const version of ['1.1', '1.2'] as const) {
      const text = renderManifest({ ...base, format: 'k8s-configmap', namespace: undefined })
      const map = parse(text, { version }) as KubernetesObject
      expect(map).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'web' } })
      expect(map.metadata).not.toHaveProperty('namespace')
      expect(Object.values(map.data)).toEqual(values)
    }
  })

  it('has no data where there are no values, and equal text for equal values', () => {
    expect(parse(renderManifest({ ...base, entries: [] }))).toMatchObject({ data: {} })
    expect(renderManifest(base)).toBe(renderManifest(base))
  })

  it('is refused with the size and the limit above 1 MiB, and with names that Kubernetes refuses', () => {
    const sized = (bytes: number): Manifest => ({
      ...base,
      entries: [{ name: 'A', key: 'a', tier: 'secret', value: 'é'.repeat(bytes / 2) }],
    })
    expect(needsServerSideApply(renderManifest(sized(1_048_576)))).toBe(true)
    expect(needsServerSideApply(renderManifest(base))).toBe(false)
    expect(() => renderManifest(sized(1_048_578))).toThrow('1048578 bytes')
    for (const name of ['Web', 'web_app', '-web', 'web.', 'a'.repeat(254)]) {
      expect(() => renderManifest({ ...base, name })).toThrow('does not accept the name')
    }
    for (const namespace of ['Shop', 'a.b', 'a'.repeat(64)]) {
      expect(() => renderManifest({ ...base, namespace })).toThrow('does not accept the namespace')
    }
    expect(renderManifest({ ...base, name: 'web.v1', namespace: 'shop' })).toContain('"web.v1"')
  })
})

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

describe.runIf(hasKubectl)('kubectl, without a cluster,', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'signalbox-manifest-'))
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const kubectl = (...args: string[]) =>
    JSON.parse(
      execFileSync('kubectl', [...args, '-o', 'json'], { encoding: 'utf8' }),
    ) as KubernetesObject

  it.each([
    ['k8s-secret', ['secret', 'generic'], '*v1.Secret'],
    ['k8s-configmap', ['configmap'], '*v1.ConfigMap'],
  ] as const)(
    'reads a %s as the one that it makes itself of the same values',
    (format, kind, type) => {
      const path = join(directory, `${format}.yaml`)
      writeFileSync(path, renderManifest({ ...base, format }))
      const files = entries.map(({ name, value }) => {
        writeFileSync(join(directory, name), toVariableText(value))
        return `--from-file=${name}=${join(directory, name)}`
      })
      const own = kubectl('create', ...kind, 'web', ...files, '--dry-run=client')
      expect(Object.keys(own.data)).toHaveLength(values.length)
      const ours = kubectl('annotate', '--local', '-f', path, 'judged=yes')
      expect(ours).toMatchObject({ apiVersion: 'v1', kind: own.kind, data: own.data })
      expect(ours.metadata.annotations).toMatchObject({
        'signalbox.dev/version': '42',
        judged: 'yes',
      })
      // Decodes into the Go type, which refuses Base64 that is none, and says so after that.
      const typed = spawnSync('kubectl', ['set', 'env', '--local', '-f', path, 'A=b'])
      expect(typed.stderr.toString()).toContain(`does not have a pod template: ${type}`)
    },
  )
})
