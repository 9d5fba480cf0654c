import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingTable } from '../../packages/server/src/settings/setting-table.ts'
import { imageUser } from '../../scripts/image/image-config.ts'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { root } from '../architecture/source-files.ts'
import { judgeObject, parseObjects, type KubernetesObject, type Pod } from './kubernetes-objects.ts'

const run = promisify(execFile)
const chart = join(root, 'deploy/helm/signalbox')
const examples = globSync('examples/*.yaml', { cwd: chart }).sort()
const helm = await findTool('helm')
if ('reason' in helm) console.warn(`SKIPPED: the chart is not rendered. ${helm.reason}`)

const callHelm = async (...args: string[]) => {
  const { stdout } = await run('path' in helm ? helm.path : '', args, { cwd: chart })
  return stdout
}
const render = async (...args: string[]) =>
  parseObjects(await callHelm('template', 'shop', '.', '--namespace', 'signalbox', ...args))
const guide = readFileSync(join(root, 'docs/guide/operations.md'), 'utf8')
/** Returns what helm says of values that it refuses. */
const rejection = (...args: string[]) =>
  render(...args).then(
    () => 'rendered',
    (error: unknown) => String((error as { stderr?: string }).stderr),
  )

const rendered = new Map<string, readonly KubernetesObject[]>()
const objectsOf = (example: string) => rendered.get(`examples/${example}.yaml`) ?? []
const find = (objects: readonly KubernetesObject[], kind: string, role: string) => {
  const found = objects.find(
    (each) => each.kind === kind && each.metadata.name === `shop-signalbox-${role}`,
  )
  if (found === undefined) throw new Error(`There is no ${kind} of ${role}`)
  return found
}
const podOf = (object: KubernetesObject): Pod => {
  if (object.spec.template === undefined) throw new Error(`${object.kind} has no pod`)
  return object.spec.template.spec
}
const podsOf = (objects: readonly KubernetesObject[]) =>
  objects.filter(({ spec }) => spec.template !== undefined)
const envOf = (object: KubernetesObject) =>
  new Map(podOf(object).containers[0].env.map((each) => [each.name, each]))
const isFile = (name: string) => name.endsWith('_FILE')
/** Maps the settings that a pod reads from files to the names of their Secrets. */
const filesOf = (object: KubernetesObject) => {
  const sources = podOf(object).volumes.flatMap(({ projected }) => projected?.sources ?? [])
  return new Map(sources.map(({ secret }) => [secret.items[0].path, secret.name]))
}
const secretsPath = (object: KubernetesObject) =>
  podOf(object).containers[0].volumeMounts.find(({ name }) => name === 'secrets')?.mountPath

const readYaml = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'))

describe('the chart', () => {
  it('has the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(readYaml('deploy/helm/signalbox/Chart.yaml')).toMatchObject({
      version,
      appVersion: version,
    })
  })

  it('has seven examples of values', () => {
    expect(examples.map((path) => basename(path, '.yaml'))).toEqual([
      'browsers-only',
      'ingress',
      'large',
      'nats',
      'registry-of-ours',
      'sign-in',
      'small',
    ])
  })
})

describe.skipIf('reason' in helm)('helm', () => {
  beforeAll(async () => {
    for (const example of examples) rendered.set(example, await render('--values', example))
  })

  it.each(examples)('finds nothing to complain about with %s', async (example) => {
    const said = await callHelm('lint', '.', '--strict', '--values', example)
    expect(said).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  it('renders objects that the schemas of Kubernetes accept', () => {
    const all = [...rendered.values()].flat()
    expect(all.length).toBeGreaterThan(60)
    expect(all.flatMap(faultsOf)).toEqual([])
  })

  it('needs the two addresses and the two Secrets, and says so', async () => {
    const said = await rejection()
    for (const part of ['/publicUrl', '/configUrl', '/database/secretName', '/rootKey/secretName'])
      expect(said).toContain(part)
  })

  it.each([
    ['delivery.replcas=3', 'replcas'],
    ['publicUrl=https://signalbox.example.com/path', '/publicUrl'],
    ['drainSeconds=soon', '/drainSeconds'],
    ['settings.SIGNALBOX_log=1', 'SIGNALBOX_log'],
    ['image.digest=latest', '/image/digest'],
  ])('refuses %s', async (value, part) => {
    expect(await rejection('--values', 'examples/small.yaml', '--set', value)).toContain(part)
  })

  it('gives the pods settings that exist, and secrets as files alone', () => {
    const known = new Map(settingTable.map((setting) => [setting.name as string, setting]))
    for (const each of [...rendered.values()].flatMap(podsOf)) {
      const [files, others] = [
        filesOf(each),
        [...envOf(each).keys()].filter((name) => !isFile(name)),
      ]
      expect(files.size).toBeGreaterThan(0)
      for (const name of files.keys()) expect([name, known.get(name)?.secret]).toEqual([name, true])
      expect(others.filter((name) => known.get(name)?.secret ?? !known.has(name))).toEqual([])
      // Each variable names a file of the volume, and each file has one.
      expect([...envOf(each).values()].filter(({ name }) => isFile(name))).toEqual(
        [...files.keys()].map((name) => ({
          name: `${name}_FILE`,
          value: `${secretsPath(each)}/${name}`,
        })),
      )
    }
  })

  it('runs every pod as the user of the image, without rights, on a file system that nobody writes to', () => {
    for (const each of [...rendered.values()].flatMap(podsOf)) {
      const { automountServiceAccountToken, securityContext, containers } = podOf(each)
      expect(automountServiceAccountToken).toBe(false)
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: imageUser.uid,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('lets a pod that stops finish: its pause, and the ten seconds of an orderly stop', () => {
    for (const [example, drain] of [
      ['small', 15],
      ['large', 30],
    ] as const) {
      for (const role of ['api', 'worker', 'delivery']) {
        const deployment = find(objectsOf(example), 'Deployment', role)
        expect(envOf(deployment).get('SIGNALBOX_DRAIN_SECONDS')?.value).toBe(String(drain))
        expect(podOf(deployment).terminationGracePeriodSeconds).toBeGreaterThan(drain + 9.5)
        expect(deployment.spec['strategy']).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } })
      }
    }
  })

  it('probes ports that the containers have, mounts volumes that the pods have', () => {
    for (const each of [...rendered.values()].flatMap(podsOf)) {
      const { containers, volumes } = podOf(each)
      const [{ ports, volumeMounts, startupProbe, livenessProbe, readinessProbe }] = containers
      const names = new Set(ports.map(({ name }) => name))
      const probes = [startupProbe, livenessProbe, readinessProbe].flatMap((at) => at ?? [])
      expect(probes).toHaveLength(each.kind === 'Deployment' ? 3 : 0)
      expect(probes.filter(({ httpGet }) => !names.has(httpGet.port))).toEqual([])
      expect([undefined, '/healthz']).toContain(livenessProbe?.httpGet.path)
      expect(volumeMounts.map(({ name }) => name).sort()).toEqual(
        volumes.map(({ name }) => name).sort(),
      )
    }
  })

  it('selects pods that exist: services, budgets, autoscalers and policies', () => {
    for (const objects of rendered.values()) {
      const pods = podsOf(objects)
      const labelsOfPods = pods.map(({ spec }) => spec.template?.metadata.labels ?? {})
      for (const { kind, metadata, spec } of objects) {
        const selector = selectorOf(kind, spec)
        if (selector === undefined || metadata.name.endsWith('-migration')) continue
        const selected = labelsOfPods.filter((labels) =>
          Object.entries(selector).every(([name, value]) => labels[name] === value),
        )
        expect([metadata.name, selected.length]).toEqual([metadata.name, 1])
      }
      for (const { spec } of objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
        const { name } = spec['scaleTargetRef'] as { name: string }
        expect(pods.map(({ metadata }) => metadata.name)).toContain(name)
      }
    }
  })

  it('lets an autoscaler decide how many deliveries there are, by streams and answers where it is told to', () => {
    const small = find(objectsOf('small'), 'Deployment', 'delivery')
    expect(small.spec).not.toHaveProperty('replicas')
    expect(find(objectsOf('browsers-only'), 'Deployment', 'delivery').spec['replicas']).toBe(3)
    const { spec } = find(objectsOf('large'), 'HorizontalPodAutoscaler', 'delivery')
    const metrics = spec['metrics'] as { pods?: { metric: { name: string } } }[]
    expect(metrics.map(({ pods }) => pods?.metric.name)).toEqual([
      undefined,
      'signalbox_streams_open',
      'signalbox_delivery_answers_per_second',
    ])
  })

  it('migrates before the pods change, with the database alone', () => {
    const job = find(objectsOf('small'), 'Job', 'migration')
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(podOf(job).containers[0].args).toEqual(['migrate'])
    expect([...filesOf(job).keys()]).toEqual(['DATABASE_URL'])
    expect(() => find(objectsOf('registry-of-ours'), 'Job', 'migration')).toThrow('no Job')
  })

  it('writes settings as they were written, large numbers too', () => {
    const env = envOf(find(objectsOf('large'), 'Deployment', 'api'))
    expect(env.get('SIGNALBOX_ORGANIZATIONS_PER_PERSON')?.value).toBe('9000000')
    expect(env.get('SIGNALBOX_CAPACITY')?.value).toBe('streams=20000')
  })

  it('renders the values that the guide shows', async () => {
    const [, values = ''] = /^## Kubernetes$[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(guide) ?? []
    const file = join(await mkdtemp(join(tmpdir(), 'signalbox-values-')), 'values.yaml')
    await writeFile(file, values)
    const objects = await render('--values', file).finally(() =>
      rm(dirname(file), { recursive: true }),
    )
    expect(objects.map(({ kind }) => kind)).toContain('Ingress')
  })

  it('gives the root key to the delivery only where it is told to', () => {
    const has = (example: string) =>
      filesOf(find(objectsOf(example), 'Deployment', 'delivery')).has('SIGNALBOX_ROOT_KEY')
    expect([has('small'), has('browsers-only')]).toEqual([true, false])
  })

  it('feeds the delivery through NATS where it has an address, without the database', () => {
    const objects = objectsOf('nats')
    const natsOf = (role: string) =>
      [...envOf(find(objects, 'Deployment', role)).keys()].filter((name) =>
        /NATS|DATABASE|PUBLISHER/.test(name),
      )
    const database = 'DATABASE_URL_FILE'
    const [url, ca, seed] = ['SIGNALBOX_NATS_URL', 'SIGNALBOX_NATS_CA', 'SIGNALBOX_NATS_SEED_FILE']
    expect(natsOf('api')).toEqual([database])
    expect(natsOf('worker')).toEqual([database, seed, url, ca, 'SIGNALBOX_NATS_GROUPS'])
    expect(natsOf('delivery')).toEqual([
      seed,
      url,
      ca,
      'SIGNALBOX_NATS_GROUP',
      'SIGNALBOX_PUBLISHER_KEYS',
    ])
    const seedOf = (role: string) =>
      filesOf(find(objects, 'Deployment', role)).get('SIGNALBOX_NATS_SEED')
    expect([seedOf('worker'), seedOf('delivery')]).toEqual([
      'signalbox-nats-publisher',
      'signalbox-nats-eu',
    ])
    const small = find(objectsOf('small'), 'Deployment', 'delivery')
    expect([...envOf(small).keys()].filter((name) => name.includes('NATS'))).toEqual([])
  })

  it('lets the delivery connect to NATS and not to the database then', () => {
    const portsOf = (example: string, role: string) => {
      const { spec } = find(objectsOf(example), 'NetworkPolicy', role)
      const egress = spec['egress'] as { ports: { port: number }[] }[]
      return egress.flatMap(({ ports }) => ports.map(({ port }) => port))
    }
    expect(portsOf('nats', 'delivery')).toEqual([53, 53, 4222])
    expect(portsOf('nats', 'worker')).toEqual([53, 53, 5432, 4222, 443])
    expect(portsOf('nats', 'api')).toEqual([53, 53, 5432, 443])
    expect(portsOf('small', 'delivery')).toEqual([53, 53, 5432])
  })

  it('needs both seeds and the publisher keys with NATS, and says so', async () => {
    const url = 'nats.url=tls://nats.example.com:4222'
    const said = await rejection('--values', 'examples/small.yaml', '--set', url)
    for (const part of ['/nats/publisherSeed/secretName', '/nats/seed/secretName'])
      expect(said).toContain(part)
    expect(said).toContain('/nats/publisherKeys')
  })

  it('names an image by version or digest', () => {
    const imageOf = (example: string) =>
      podOf(find(objectsOf(example), 'Deployment', 'api')).containers[0].image
    expect(imageOf('small')).toMatch(/^ghcr\.io\/signalbox\/signalbox:\d+\.\d+\.\d+-slim$/)
    expect(imageOf('registry-of-ours')).toMatch(
      /^registry\.example\.com\/signalbox@sha256:[0-9a-f]{64}$/,
    )
  })

  it.each([
    ['replicas', 'replicas: 2', 'replicas: two', 'worker'],
    ['a name of a member', 'containerPort: 4400', 'containerPrt: 4400', 'api'],
    ['a kind', 'kind: PodDisruptionBudget', 'kind: PodDisruptionBudgets', 'api'],
    ['a version', 'autoscaling/v2', 'autoscaling/v2beta2', 'delivery'],
  ])('control: the schemas find a fault in %s', async (_, from, to) => {
    const text = await callHelm('template', 'shop', '.', '--values', 'examples/small.yaml')
    expect(text).toContain(from)
    expect(parseObjects(text.replace(from, to)).flatMap(faultsOf)).toHaveLength(1)
  })
})

/** Returns what the schemas of Kubernetes find in an object. */
function faultsOf(value: KubernetesObject): string[] {
  try {
    judgeObject(value)
    return []
  } catch (error) {
    return [`${value.kind} ${value.metadata.name}: ${String(error)}`]
  }
}

function selectorOf(
  kind: string,
  spec: KubernetesObject['spec'],
): Readonly<Record<string, string>> | undefined {
  if (kind === 'Service') return spec['selector'] as Record<string, string>
  const key =
    kind === 'NetworkPolicy'
      ? 'podSelector'
      : kind === 'PodDisruptionBudget'
        ? 'selector'
        : undefined
  return key && (spec[key] as { matchLabels: Record<string, string> }).matchLabels
}
