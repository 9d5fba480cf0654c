import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ExternalSecret,
  SecretStore,
} from '@kubernetes-models/external-secrets/external-secrets.io/v1'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseVariables } from '../packages/server/src/delivery/http/render-variables.ts'
import { parseTarget } from '../packages/server/src/delivery/http/target.ts'
import { root } from './architecture/source-files.ts'

const page = readFileSync(join(root, 'docs/guide/kubernetes.md'), 'utf8')
/** The blocks of YAML without the indentation of their list, as a person pastes them. */
const blocks = [...page.matchAll(/^( *)```yaml\n([\s\S]*?)^\1```$/gm)].map(
  ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
)
const metadata = z.strictObject({ name: z.string(), namespace: z.literal('shop') })

/**
 * Describes the members of External Secrets Operator's resources of v1 that the page uses: the models of the operator's types
 * ignore others.
 */
const operatorObjects = {
  SecretStore: z.strictObject({
    apiVersion: z.literal('external-secrets.io/v1'),
    kind: z.literal('SecretStore'),
    metadata,
    spec: z.strictObject({
      provider: z.strictObject({
        webhook: z.strictObject({
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          result: z.strictObject({ jsonPath: z.string() }),
          secrets: z.array(
            z.strictObject({ name: z.string(), secretRef: z.strictObject({ name: z.string() }) }),
          ),
        }),
      }),
    }),
  }),
  ExternalSecret: z.strictObject({
    apiVersion: z.literal('external-secrets.io/v1'),
    kind: z.literal('ExternalSecret'),
    metadata,
    spec: z.strictObject({
      refreshInterval: z.string().regex(/^\d+[smh]$/),
      secretStoreRef: z.strictObject({ kind: z.literal('SecretStore'), name: z.string() }),
      target: z.strictObject({
        name: z.string(),
        creationPolicy: z.enum(['Owner', 'Orphan', 'Merge', 'None']),
        deletionPolicy: z.enum(['Delete', 'Merge', 'Retain']),
      }),
      dataFrom: z.array(z.strictObject({ extract: z.strictObject({ key: z.string() }) })),
    }),
  }),
}

const findBlock = (kind: string) => {
  const found = blocks.find((text) => (parse(text) as { kind?: string }).kind === kind)
  if (found === undefined) throw new Error(`The page has no ${kind}`)
  return found
}

/** Validates an object as the API server does with the operator's own types. @throws with the path of a fault */
function judge(Model: typeof SecretStore | typeof ExternalSecret, text: string): void {
  // oxlint-disable-next-line typescript/no-unsafe-argument -- the model checks what it is given
  new Model(parse(text)).validate()
}

describe('the guide of Kubernetes', () => {
  it('has YAML that parses, of the kinds that it speaks about', () => {
    const kinds = blocks.map((text) => (parse(text) as { kind?: string }).kind)
    expect(kinds).toEqual(['Deployment', 'SecretStore', 'ExternalSecret', 'Pod'])
  })

  it('has objects that the types of External Secrets Operator accept', () => {
    expect(() => judge(SecretStore, findBlock('SecretStore'))).not.toThrow()
    expect(() => judge(ExternalSecret, findBlock('ExternalSecret'))).not.toThrow()
  })

  it.each([
    ['SecretStore', /^ +url: .*$/m, '', /url/],
    ['SecretStore', /url: .*$/m, 'url: 1', /url/],
    ['SecretStore', /^ +secretRef:\n.*$/m, '', /secretRef/],
    ['SecretStore', 'external-secrets.io/v1', 'external-secrets.io/v2', /apiVersion/],
    ['ExternalSecret', 'key: production', 'key: 1', /key/],
    ['ExternalSecret', 'creationPolicy: Owner', 'creationPolicy: Mine', /creationPolicy/],
    ['ExternalSecret', 'deletionPolicy: Retain', 'deletionPolicy: Keep', /deletionPolicy/],
    ['ExternalSecret', 'kind: SecretStore', 'kind: Store', /kind/],
  ] as const)('control: those types refuse a changed %s: %s', (kind, from, to, fault) => {
    const changed = findBlock(kind).replace(from, to)
    expect(changed).not.toBe(findBlock(kind))
    const model = kind === 'SecretStore' ? SecretStore : ExternalSecret
    expect(() => judge(model, changed)).toThrow(fault)
  })

  it('asks the delivery for the secrets of the environment that the ExternalSecret names', () => {
    const store = operatorObjects.SecretStore.parse(parse(findBlock('SecretStore')))
    const secret = operatorObjects.ExternalSecret.parse(parse(findBlock('ExternalSecret')))
    expect(secret.spec.secretStoreRef.name).toBe(store.metadata.name)
    const { url, headers, secrets } = store.spec.provider.webhook
    const [extract] = secret.spec.dataFrom
    const filled = new URL(url.replace('{{ .remoteRef.key }}', extract?.extract.key ?? ''))
    const target = parseTarget(`${filled.pathname}${filled.search}`)
    expect(target).toMatchObject({
      route: 'values',
      organization: 'acme',
      query: { environment: 'production', schema: 'web' },
    })
    expect(parseVariables(target.query)).toBe('secrets')
    expect(headers['Authorization']).toBe(`Bearer {{ .${secrets[0]?.name}.key }}`)
    expect(page).toContain(`kubectl create secret generic ${secrets[0]?.secretRef.name} `)
  })

  it('gives the pod a token for the server that the pod calls', () => {
    const pod = parse(findBlock('Pod')) as {
      spec: {
        containers: {
          env: { name: string; value: string }[]
          volumeMounts: { mountPath: string }[]
        }[]
        volumes: { projected: { sources: { serviceAccountToken: Record<string, unknown> }[] } }[]
      }
    }
    const [container] = pod.spec.containers
    const env = new Map(container?.env.map(({ name, value }) => [name, value]))
    const token = pod.spec.volumes[0]?.projected.sources[0]?.serviceAccountToken
    expect(token?.['audience']).toBe(env.get('SIGNALBOX_URL'))
    expect(env.get('SIGNALBOX_IDENTITY_TOKEN_FILE')).toBe(
      `${container?.volumeMounts[0]?.mountPath}/${String(token?.['path'])}`,
    )
  })
})

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

describe.runIf(hasKubectl)('kubectl, without a cluster,', () => {
  it.each(['Deployment', 'Pod'])('decodes the %s into its own type', (kind) => {
    const { status, stdout, stderr } = spawnSync(
      'kubectl',
      ['set', 'env', '--local', '-f', '-', 'JUDGED=yes', '-o', 'json'],
      { input: findBlock(kind), encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('JUDGED')
  })
})
