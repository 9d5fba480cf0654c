import { scimEndpoints as endpoints, type EndpointShape } from '@signalbox/contract/rest'
import { notFound } from '../../../http/answers/problem-response.ts'
import { readJson } from '../../../http/input/json.ts'
import type { EndpointRequest, RawAnswer } from '../../../http/input/endpoint-request.ts'
import type { Router } from '../../../http/router.ts'
import { findDirectory, type Directory, type ScimDeps } from './directory.ts'
import { describeProvider, listResourceTypes, listSchemas } from './discovery.ts'
import { invalidFilter, parseFilter } from './filter.ts'
import { countDirectoryGroups, listDirectoryGroups, type GroupFilter } from './group-rows.ts'
import { createGroup, deleteGroup, getGroup, patchGroup, replaceGroup } from './groups.ts'
import {
  listSchema,
  presentGroup,
  presentUser,
  selectAttributes,
  type DirectoryGroup,
  type Person,
  type ShownAttributes,
} from './resources.ts'
import { requireScimBody } from './scim-body.ts'
import { countPeople, listPeople, type PersonFilter } from './user-rows.ts'
import { createUser, deleteUser, getUser, pageOf, patchUser, replaceUser } from './users.ts'

/** Mounts `/organizations/{org_id}/scim/v2`. */
export function mountScim(router: Router, deps: ScimDeps): void {
  mountDiscovery(router, deps)
  mountUsers(router, deps)
  mountGroups(router, deps)
}

/** Describes a request of SCIM whose sender is not known yet. */
type Sent = Pick<
  EndpointRequest<EndpointShape>,
  'header' | 'checkSender' | 'requestId' | 'ip' | 'userAgent' | 'readBytes'
> & { readonly params: { readonly org_id: string } }

const enter = (deps: ScimDeps, sent: Sent) => findDirectory(deps, sent, sent.params.org_id)

/** Reads the body of a directory that is known. */
async function enterWithBody(
  deps: ScimDeps,
  sent: Sent,
): Promise<{ readonly directory: Directory; readonly body: unknown }> {
  const directory = await enter(deps, sent)
  requireScimBody(sent.header('content-type'))
  return { directory, body: readJson(await sent.readBytes()) }
}

function mountDiscovery(router: Router, deps: ScimDeps): void {
  router
    .addRaw(endpoints.getScimConfig, async (sent) =>
      answer(200, describeProvider((await enter(deps, sent)).base)),
    )
    .addRaw(endpoints.listScimSchemas, async (sent) =>
      answer(200, toList(listSchemas((await enter(deps, sent)).base))),
    )
    .addRaw(endpoints.getScimSchema, async (sent) =>
      answerOne(listSchemas((await enter(deps, sent)).base), sent.params.schema),
    )
    .addRaw(endpoints.listScimResourceTypes, async (sent) =>
      answer(200, toList(listResourceTypes((await enter(deps, sent)).base))),
    )
    .addRaw(endpoints.getScimResourceType, async (sent) =>
      answerOne(listResourceTypes((await enter(deps, sent)).base), sent.params.resource_type),
    )
}

function answerOne(resources: readonly { readonly id: string }[], id: string): RawAnswer {
  const one = resources.find((each) => each.id === id)
  if (one === undefined) throw notFound()
  return answer(200, one)
}

function mountUsers(router: Router, deps: ScimDeps): void {
  router
    .addRaw(endpoints.listScimUsers, async (sent) => {
      const { orgId, base } = await enter(deps, sent)
      const filter = toPersonFilter(sent.query.filter)
      const { offset, limit, first } = pageOf(sent.query)
      const { people, total } = await deps.store.transaction({ orgId }, async (tx) => ({
        people: await listPeople(tx, orgId, filter, { offset, limit }),
        total: await countPeople(tx, orgId, filter),
      }))
      const resources = people.map((each) => selectAttributes(presentUser(each, base), sent.query))
      return answer(200, toList(resources, { total, first }))
    })
    .addRaw(endpoints.createScimUser, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerUser(directory, await createUser(deps, directory, body), { status: 201 })
    })
    .addRaw(endpoints.getScimUser, async (sent) => {
      const directory = await enter(deps, sent)
      const person = await getUser(deps, directory, sent.params.user_id)
      return answerUser(directory, person, { selection: sent.query })
    })
    .addRaw(endpoints.replaceScimUser, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerUser(directory, await replaceUser(deps, directory, sent.params.user_id, body))
    })
    .addRaw(endpoints.patchScimUser, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerUser(directory, await patchUser(deps, directory, sent.params.user_id, body))
    })
    .addRaw(endpoints.deleteScimUser, async (sent) => {
      await deleteUser(deps, await enter(deps, sent), sent.params.user_id)
      return nothing
    })
}

function mountGroups(router: Router, deps: ScimDeps): void {
  router
    .addRaw(endpoints.listScimGroups, async (sent) => {
      const { orgId, base } = await enter(deps, sent)
      const filter = toGroupFilter(sent.query.filter)
      const { offset, limit, first } = pageOf(sent.query)
      const { groups, total } = await deps.store.transaction({ orgId }, async (tx) => ({
        groups: await listDirectoryGroups(tx, orgId, filter, { offset, limit }),
        total: await countDirectoryGroups(tx, orgId, filter),
      }))
      const resources = groups.map((each) => selectAttributes(presentGroup(each, base), sent.query))
      return answer(200, toList(resources, { total, first }))
    })
    .addRaw(endpoints.createScimGroup, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerGroup(directory, await createGroup(deps, directory, body), { status: 201 })
    })
    .addRaw(endpoints.getScimGroup, async (sent) => {
      const directory = await enter(deps, sent)
      const group = await getGroup(deps, directory, sent.params.group_id)
      return answerGroup(directory, group, { selection: sent.query })
    })
    .addRaw(endpoints.replaceScimGroup, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerGroup(directory, await replaceGroup(deps, directory, sent.params.group_id, body))
    })
    .addRaw(endpoints.patchScimGroup, async (sent) => {
      const { directory, body } = await enterWithBody(deps, sent)
      return answerGroup(directory, await patchGroup(deps, directory, sent.params.group_id, body))
    })
    .addRaw(endpoints.deleteScimGroup, async (sent) => {
      await deleteGroup(deps, await enter(deps, sent), sent.params.group_id)
      return nothing
    })
}

const workAddress = 'emails[type eq "work"].value'

/** @throws {Problem} `invalid_query` */
function toPersonFilter(text: string | undefined): PersonFilter {
  const filter: Partial<Record<keyof PersonFilter, string>> = {}
  for (const { path, value } of text === undefined ? [] : parseFilter(text)) {
    if (typeof value !== 'string') throw invalidFilter()
    if (path === 'id') filter.id = value
    else if (path === 'username') filter.userName = value
    else if (path === 'externalid') filter.externalId = value
    else if (path === 'emails' || path === 'emails.value' || path === workAddress)
      filter.email = value
    else throw invalidFilter()
  }
  return filter
}

/** @throws {Problem} `invalid_query` */
function toGroupFilter(text: string | undefined): GroupFilter {
  const filter: Partial<Record<keyof GroupFilter, string>> = {}
  for (const { path, value } of text === undefined ? [] : parseFilter(text)) {
    if (typeof value !== 'string') throw invalidFilter()
    if (path === 'id') filter.id = value
    else if (path === 'displayname') filter.name = value
    else if (path === 'externalid') filter.externalId = value
    else if (path === 'members' || path === 'members.value') filter.member = value
    else throw invalidFilter()
  }
  return filter
}

interface Answering {
  readonly status?: 200 | 201
  readonly selection?: ShownAttributes
}

function answerUser(
  { base }: Directory,
  person: Person,
  { status = 200, selection = {} }: Answering = {},
): RawAnswer {
  const resource = presentUser(person, base)
  return answer(status, selectAttributes(resource, selection), resource.meta.location)
}

function answerGroup(
  { base }: Directory,
  group: DirectoryGroup,
  { status = 200, selection = {} }: Answering = {},
): RawAnswer {
  const resource = presentGroup(group, base)
  return answer(status, selectAttributes(resource, selection), resource.meta.location)
}

function toList(
  resources: readonly object[],
  {
    total = resources.length,
    first = 1,
  }: { readonly total?: number; readonly first?: number } = {},
) {
  return {
    schemas: [listSchema],
    totalResults: total,
    startIndex: first,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

const nothing: RawAnswer = { status: 204, headers: {}, body: '' }

function answer(status: number, body: object, location?: string): RawAnswer {
  return {
    status,
    headers: {
      'Content-Type': 'application/scim+json',
      'Cache-Control': 'no-store',
      ...(location !== undefined && { Location: location }),
    },
    body: JSON.stringify(body),
  }
}
