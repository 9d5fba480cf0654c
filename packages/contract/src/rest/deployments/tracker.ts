import { z } from 'zod/v4'
import { adminOrKey, developerOrKey, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { integrationFields, providerProblems } from '../integrations/shapes.ts'
import { id, page, pageQuery } from '../shapes.ts'
import { progress, syncFields } from './sync-shapes.ts'

const site = z.object({ id: z.string(), name: z.string(), url: z.string() })

/** Describes the state of the issue tracker's integration. */
export const trackerStatus = z
  .object({
    ...integrationFields,
    site: site.nullable(),
    /** Lists the granted sites, when there are several and none is chosen yet. */
    sites: z.array(site),
    /** Lists the projects. `null`: all of the site. */
    projectKeys: z.array(z.string()).nullable(),
  })
  .meta({ id: 'TrackerStatus' })

/** Describes a project of the issue tracker. */
export const trackerProject = z
  .object({ key: z.string(), name: z.string(), tracked: z.boolean() })
  .meta({ id: 'TrackerProject' })

/** Describes the progress of reading issues again. */
export const trackerSync = z
  .object({
    ...syncFields,
    /** Counts the issue keys that were read, of those that the newest 500 deployments of the last 30 days name. */
    issues: progress,
    /** Counts the keys whose issue was no longer as Signalbox had stored it. */
    changedIssues: z.number().int(),
  })
  .meta({ id: 'TrackerSync' })

const base = '/organizations/{org_id}/integrations' as const

/** Declares the endpoints of the issue tracker. */
export const trackerEndpoints = declareEndpoints({ tag: 'Integrations', topics: ['integration'] })({
  getTracker: {
    method: 'GET',
    path: `${base}/tracker`,
    summary: 'The issue tracker integration: its state, site and projects.',
    access: viewerOrKey,
    response: { status: 200, body: trackerStatus },
  },
  updateTracker: {
    method: 'PATCH',
    path: `${base}/tracker`,
    summary: 'Choose the site, and the projects whose issues count.',
    access: adminOrKey,
    body: z.strictObject({
      siteId: z.string().max(100).optional(),
      projectKeys: z
        .array(z.string().regex(/^\S{1,200}$/, 'Use a project key such as ABC.'))
        .max(50)
        .nullish(),
    }),
    response: { status: 200, body: trackerStatus },
    problems: [...providerProblems, 'integration_exists'],
  },
  listTrackerProjects: {
    method: 'GET',
    path: `${base}/tracker/projects`,
    summary: 'The projects of the site.',
    access: viewerOrKey,
    query: z.strictObject({ ...pageQuery, query: z.string().max(100).optional() }),
    response: { status: 200, body: page(trackerProject) },
    problems: [...providerProblems, 'invalid_cursor'],
  },
  startTrackerSync: {
    method: 'POST',
    path: `${base}/tracker/sync`,
    summary: 'Read the issues of recent deployments now.',
    access: developerOrKey,
    response: { status: 202, body: trackerSync },
    topics: ['sync'],
    problems: [...providerProblems],
  },
  getTrackerSync: {
    method: 'GET',
    path: `${base}/tracker/sync/{sync_id}`,
    summary: 'The progress of a sync of issues.',
    access: viewerOrKey,
    response: { status: 200, body: trackerSync },
    topics: ['sync', 'integration'],
  },
  enrichDeployment: {
    method: 'POST',
    path: `${base}/tracker/enrich-deployment`,
    summary: 'The issues that commit messages name, and the keys that are not issues.',
    access: developerOrKey,
    quotesOthers: true,
    body: z.strictObject({
      commitMessages: z.array(z.string().max(64 * 1024)).max(1000),
      deploymentId: id('dep').optional(),
      /** Names the repository of the messages, for keys such as `#12`. Left out: that of the deployment. */
      repository: z.string().max(200).optional(),
    }),
    response: {
      status: 200,
      body: z.object({
        keys: z.array(z.string()),
        issues: z.array(
          z.object({
            key: z.string(),
            title: z.string(),
            type: z.string().nullable(),
            status: z.string().nullable(),
            statusCategory: z.enum(['new', 'indeterminate', 'done']).nullable(),
            assignee: z.string().nullable(),
            priority: z.string().nullable(),
            url: z.string(),
          }),
        ),
        notFound: z.array(z.string()),
        ignored: z.array(z.object({ key: z.string(), reason: z.string() })),
        /** Names the keys beyond 500 that count, and beyond 500 that do not. The tracker was not asked for them. */
        notLookedUp: z.array(z.string()),
      }),
    },
    topics: ['deployment'],
    problems: [...providerProblems],
  },
})
