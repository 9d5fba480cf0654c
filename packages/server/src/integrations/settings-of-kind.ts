import { environmentRule, keyWorkflow, testWorkflow } from '@signalbox/contract/rest'
import { z } from 'zod'

/** Null: API keys start every workflow. A list in a form that this version doesn't know admits none. */
const keyWorkflows = z.array(keyWorkflow).nullable().default(null).catch([])

/** Describes what an organization has chosen for its code host. */
export const codehostSettings = z.object({
  environmentMap: z.array(environmentRule).default([]),
  testWorkflows: z.array(testWorkflow).default([]),
  keyWorkflows,
})
export type CodehostSettings = z.output<typeof codehostSettings>

/** Reads the workflows that API keys start, whatever the other settings are. `null`: all. */
export function readKeyWorkflows(stored: unknown): CodehostSettings['keyWorkflows'] {
  return z.object({ keyWorkflows }).catch({ keyWorkflows: null }).parse(stored).keyWorkflows
}

const account = z.object({ id: z.string(), name: z.string(), url: z.string() })

/** Describes what an organization has chosen for its tracker. */
export const trackerSettings = z.object({
  /** The sites that were granted. */
  sites: z.array(account).default([]),
  /** Null: all projects of the site. */
  projectKeys: z.array(z.string()).nullable().default(null),
})
export type TrackerSettings = z.output<typeof trackerSettings>

/** Describes what an organization has chosen for its chat. */
export const chatSettings = z.object({
  defaultChannelId: z.string().nullable().default(null),
  defaultChannelName: z.string().nullable().default(null),
  /** The code that the last message to it was refused with; null: none was refused. */
  defaultChannelReason: z.string().nullable().default(null),
  /** When a message last arrived in it, to the minute; null: none has. */
  defaultChannelDeliveredAt: z.string().nullable().default(null),
  /** Where the chat is called, as an event of it has named last; left out: none has. */
  learnedUrl: z.string().optional(),
})
