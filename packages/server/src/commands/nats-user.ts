import { findOrganizationByRef } from '../identity/organizations/rows.ts'
import {
  groupPermissions,
  publisherPermissions,
  publisherUser,
  type NatsPermissions,
} from '../replica/nats-permissions.ts'
import type { Settings } from '../settings.ts'
import { UsageError, type Command } from './command.ts'
import { openNatsSeedFile } from './nats-seed-file.ts'
import { openCommandStore } from './open-command-store.ts'

/**
 * Makes a user of NATS for the nodes of a delivery group, or for the publishers: writes its seed to a file, and prints its public
 * key and rights as nats-server's configuration has them.
 */
export const natsUserCommand: Command = async ({ settings, operands, json, terminal }) => {
  const [name, file] = operands
  if (name === undefined || file === undefined) {
    throw new UsageError(
      'nats-user needs the name of a group, or "publisher", and the file to write.',
      'signalbox-server nats-user eu eu.seed',
    )
  }
  const permissions = await listPermissions(settings(), name)
  const { publicKey, isNew } = await openNatsSeedFile(file)
  if (json) {
    terminal.out(JSON.stringify({ name, file, isNew, nkey: publicKey, permissions }))
    return 0
  }
  terminal.err(
    isNew
      ? `A new user is made. Its seed is in ${file}: give it to ${holdersOf(name)}, and to nobody else.`
      : `${file} was there already. These are the rights that its user should have now:`,
  )
  terminal.out(renderUser(name, publicKey, permissions))
  terminal.err(
    'Put this among the users of the account in the configuration of every nats-server, in place of an older entry of the same key. Then reload each: nats-server --signal reload',
  )
  return 0
}

function holdersOf(name: string): string {
  return name === publisherUser
    ? 'the nodes with the role worker'
    : `the nodes of the group ${name}`
}

async function listPermissions(settings: Settings, name: string): Promise<NatsPermissions> {
  if (settings.nats === undefined) {
    throw new UsageError(
      'SIGNALBOX_NATS_URL is not set.',
      'Run this with the settings of a process that has the role worker.',
    )
  }
  const { bucket, domain, groups } = settings.nats
  if (name === publisherUser) return publisherPermissions({ bucket, domain })
  const group = groups.find((each) => each.name === name)
  if (group === undefined) {
    const known = [publisherUser, ...groups.map((each) => each.name)].join(', ')
    throw new UsageError(
      `SIGNALBOX_NATS_GROUPS has no group ${JSON.stringify(name)}.`,
      `Set it as for the workers. Known here: ${known}`,
    )
  }
  const refs = group.organizations
  const orgIds = refs && (await findOrgIds(settings, refs))
  return groupPermissions({ bucket, domain, group: name, orgIds })
}

/** Returns the ids of organizations that are named by id or slug. A right to one that is not there would go unnoticed. */
async function findOrgIds(settings: Settings, refs: readonly string[]): Promise<string[]> {
  const store = await openCommandStore(settings)
  try {
    return await store.maintenance(async (tx) => {
      const ids: string[] = []
      for (const ref of refs) {
        const organization = await findOrganizationByRef(tx, ref)
        if (organization === undefined) {
          throw new UsageError(
            `There is no organization ${JSON.stringify(ref)}, which SIGNALBOX_NATS_GROUPS names.`,
          )
        }
        ids.push(organization.id)
      }
      return ids
    })
  } finally {
    await store.close()
  }
}

/** Renders a user as an entry of `users` in nats-server's configuration. */
function renderUser(name: string, publicKey: string, permissions: NatsPermissions): string {
  return `{
  # Signalbox: ${name}
  nkey: ${publicKey}
  permissions: {
    publish: {
      allow: [
${renderSubjects(permissions.publish)}
      ]
    }
    subscribe: {
      allow: [
${renderSubjects(permissions.subscribe)}
      ]
    }
  }
}`
}

function renderSubjects(subjects: readonly string[]): string {
  return subjects.map((subject) => `        ${JSON.stringify(subject)}`).join('\n')
}
