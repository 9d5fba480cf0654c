import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const models = [
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
] as const

const variable = z.strictObject({
  name: z.string(),
  value: z.string(),
})

const probe = z.looseObject({ httpGet: z.strictObject({ path: z.string(), port: z.string() }) })

const container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: z.array(variable),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number().optional() })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
  securityContext: z.unknown(),
})

const secretSource = z.strictObject({
  secret: z.strictObject({
    name: z.string(),
    items: z.tuple([z.strictObject({ key: z.string(), path: z.string() })]),
  }),
})

const pod = z.looseObject({
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.unknown(),
  containers: z.tuple([container]),
  volumes: z.array(
    z.looseObject({
      name: z.string(),
      projected: z
        .strictObject({ defaultMode: z.number(), sources: z.array(secretSource) })
        .optional(),
    }),
  ),
})

const labels = z.record(z.string(), z.string())
const object = z.looseObject({
  kind: z.string(),
  apiVersion: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels,
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.looseObject({
    template: z.looseObject({ metadata: z.looseObject({ labels }), spec: pod }).optional(),
  }),
})

/** Describes an object of Kubernetes, with what the tests read of pods. */
export type KubernetesObject = z.infer<typeof object>

/** Describes a pod's containers and volumes. */
export type Pod = z.infer<typeof pod>

/** Parses what helm renders. */
export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { uniqueKeys: true, strict: true }).flatMap((document) => {
    const [fault] = [...document.errors, ...document.warnings]
    if (fault !== undefined) throw fault
    const value: unknown = document.toJS()
    return value === null ? [] : [object.parse(value)]
  })
}

/**
 * Validates an object with the schemas of the Kubernetes API.
 *
 * @throws {Error} with the path of the fault, or for a kind that nobody expects here.
 */
export function judgeObject(value: KubernetesObject): void {
  const { apiVersion, kind } = value
  const Model = models.find((each) => each.is({ apiVersion, kind }))
  if (Model === undefined)
    throw new Error(`${apiVersion} ${kind} is none of the kinds of the chart`)
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unsafe-argument -- the model checks what it is given
  new Model(value as any).validate()
}
