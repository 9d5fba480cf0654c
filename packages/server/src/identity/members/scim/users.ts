import { cutText, limits, Problem } from '@signalbox/contract'
import { emailAddress, givenPersonName } from '@signalbox/contract/rest'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import { validateBody } from '../../../http/input/validate.ts'
import type { Tx } from '../../../store/store.ts'
import { domainOf, domainUnverified } from '../email-domains/email-domain.ts'
import { isDomainVerified } from '../email-domains/rows.ts'
import { insertMember, lockOrganization } from '../../organizations/rows.ts'
import { findUserByEmail, insertUserIfAbsent, isUnclaimed } from '../../user-rows.ts'
import type { Directory, ScimDeps } from './directory.ts'
import { endMembership } from './end-membership.ts'
import { rejoinGroups } from './group-rows.ts'
import { applyPatch } from './patch.ts'
import { presentUser, userInput, type Person, type UserInput } from './resources.ts'
import {
  listPeople,
  markDirectoryEntryDeleted,
  saveDirectoryEntry,
  wasInDirectory,
  type PersonFilter,
} from './user-rows.ts'

/**
 * Adds a person whom the directory names: a new account without a password, or one that nobody else can have. Their address must
 * be of a domain that the organization has verified. They become a viewer; groups give more by the grants of an admin.
 *
 * @throws {Problem} `domain_unverified`, `already_exists`, `validation_failed`
 */
export async function createUser(
  deps: ScimDeps,
  directory: Directory,
  body: unknown,
): Promise<Person> {
  const { store, now } = deps
  const { orgId } = directory
  const input = validateBody(userInput, body)
  const email = addressOf(input)
  const known = await store.transaction({ orgId: null }, (tx) => findUserByEmail(tx, email))
  const createdAt = now()
  const userId = known?.id ?? newId('usr', createdAt)
  return store.transaction({ orgId, userId }, async (tx) => {
    await hold(tx, orgId)
    if (!(await isDomainVerified(tx, orgId, domainOf(email))))
      throw domainUnverified(domainOf(email))
    const isListed = (await findPerson(tx, orgId, { id: userId })) !== undefined
    if (isListed || (await hasName(tx, orgId, input.userName))) throw isTaken()
    if (known === undefined) {
      const user = { id: userId, email, name: nameOf(input, email), passwordHash: null }
      if (!(await insertUserIfAbsent(tx, user, createdAt))) throw isTaken()
    } else if (!(await wasInDirectory(tx, orgId, userId)) && !(await isUnclaimed(tx, userId))) {
      throw isSomebodys()
    }
    await saveDirectoryEntry(tx, entryOf(orgId, userId, input), createdAt)
    if (input.active) await join(tx, { directory, userId, isNew: known === undefined }, createdAt)
    return requirePerson(tx, orgId, userId)
  })
}

/** Replaces what the directory says of a person. @throws {Problem} as `changeUser` */
export function replaceUser(deps: ScimDeps, directory: Directory, userId: string, body: unknown) {
  return changeUser(deps, directory, userId, () => body)
}

/** Changes what the directory says of a person. @throws {Problem} as `changeUser`, and what a patch is refused with */
export function patchUser(deps: ScimDeps, directory: Directory, userId: string, body: unknown) {
  return changeUser(deps, directory, userId, (person) => {
    const {
      groups: _groups,
      meta: _meta,
      id: _id,
      schemas: _schemas,
      ...kept
    } = presentUser(person, '')
    return applyPatch(structuredClone(kept), body)
  })
}

/**
 * Stores what the directory says of a person, and ends or begins the membership. The address and the name of the account stay as
 * they are: they are the person's own.
 *
 * @throws {Problem} `not_found`, `already_exists`, `last_owner`; `domain_unverified` to bring back somebody of another domain
 */
function changeUser(
  deps: ScimDeps,
  directory: Directory,
  userId: string,
  change: (person: Person) => unknown,
): Promise<Person> {
  const { orgId } = directory
  return deps.store.transaction({ orgId, userId }, async (tx) => {
    await hold(tx, orgId)
    const person = await requirePerson(tx, orgId, userId)
    const input = validateBody(userInput, change(person))
    if (await hasName(tx, orgId, input.userName, userId)) throw isTaken()
    const moment = deps.now()
    await saveDirectoryEntry(tx, entryOf(orgId, userId, input), moment)
    if (person.isActive && !input.active) await endMembership(tx, deps, { directory, userId })
    if (!person.isActive && input.active) {
      const domain = domainOf(person.email)
      if (!(await isDomainVerified(tx, orgId, domain))) throw domainUnverified(domain)
      await join(tx, { directory, userId, isNew: false }, moment)
    }
    return requirePerson(tx, orgId, userId)
  })
}

/** Ends the membership of a person, and forgets what the directory said. @throws {Problem} `not_found`, `last_owner` */
export function deleteUser(deps: ScimDeps, directory: Directory, userId: string): Promise<void> {
  const { orgId } = directory
  return deps.store.transaction({ orgId, userId }, async (tx) => {
    await hold(tx, orgId)
    await requirePerson(tx, orgId, userId)
    await endMembership(tx, deps, { directory, userId })
    await markDirectoryEntryDeleted(tx, orgId, userId, deps.now())
  })
}

/** Finds one person. @throws {Problem} `not_found` */
export function getUser(
  { store }: ScimDeps,
  { orgId }: Directory,
  userId: string,
): Promise<Person> {
  return store.transaction({ orgId }, (tx) => requirePerson(tx, orgId, userId))
}

async function findPerson(
  tx: Tx,
  orgId: string,
  filter: PersonFilter,
): Promise<Person | undefined> {
  const [person] = await listPeople(tx, orgId, filter, { offset: 0, limit: 1 })
  return person
}

async function requirePerson(tx: Tx, orgId: string, userId: string): Promise<Person> {
  const person = await findPerson(tx, orgId, { id: userId })
  if (person === undefined) throw notFound()
  return person
}

/** Returns whether somebody else has a name. The database compares names, with the function of its index: its lower case is not that of JavaScript. */
async function hasName(
  tx: Tx,
  orgId: string,
  userName: string,
  exceptId?: string,
): Promise<boolean> {
  const people = await listPeople(tx, orgId, { userName }, { offset: 0, limit: 2 })
  return people.some((person) => person.userId !== exceptId)
}

/** Holds the members until the transaction ends, as every change of them does. */
async function hold(tx: Tx, orgId: string): Promise<void> {
  if (!(await lockOrganization(tx, orgId))) throw notFound()
}

interface Joining {
  readonly directory: Directory
  readonly userId: string
  /** Says that the account was created for it. */
  readonly isNew: boolean
}

/** Makes a person a viewer, whatever they were before, in the groups that the directory has for them. */
async function join(tx: Tx, { directory, userId, isNew }: Joining, now: Date): Promise<void> {
  const { orgId, author, request } = directory
  await insertMember(tx, { orgId, userId, role: 'viewer', grantedBy: author }, now)
  await rejoinGroups(tx, orgId, userId)
  const person = await requirePerson(tx, orgId, userId)
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action: 'member.provisioned',
    target: { type: 'member', id: userId, name: person.name },
    detail: { role: 'viewer', registered: isNew },
    request,
  })
}

function entryOf(orgId: string, userId: string, input: UserInput) {
  const { userName, externalId = null, displayName, name, emails } = input
  return { orgId, userId, userName, externalId, attributes: { displayName, name, emails } }
}

/** Returns the address of an account: the primary one, the first, or the name where it is an address. */
function addressOf({ emails = [], userName }: UserInput): string {
  const chosen = emails.find(({ primary }) => primary === true) ?? emails[0]
  const parsed = emailAddress.safeParse(chosen?.value ?? userName)
  if (parsed.success) return parsed.data
  const detail = 'Send an e-mail address, as the primary one of "emails" or as "userName".'
  throw new Problem('validation_failed', detail)
}

function nameOf({ displayName, name }: UserInput, email: string): string {
  const full = [name?.givenName, name?.familyName].filter((part) => part !== undefined).join(' ')
  const candidates = [displayName, name?.formatted, full, email.split('@')[0]]
  for (const candidate of candidates) {
    const parsed = givenPersonName.safeParse(cutText(candidate ?? '', 100))
    if (parsed.success) return parsed.data
  }
  return cutText(email, 100)
}

function isTaken(): Problem {
  const detail =
    'Somebody in the organization has this name or address. Find them by a filter, and change them.'
  return new Problem('already_exists', detail)
}

/** Returns the problem of an account that a person signs in to who has not verified its address. They accept an invitation. */
function isSomebodys(): Problem {
  const detail =
    'An account with this address exists, and the person who signs in to it has not verified the address. Invite the address under Members; the directory manages the person once they have accepted.'
  return new Problem('already_exists', detail)
}

/** Says how many resources a page has. */
export function pageOf({
  startIndex = 1,
  count = 100,
}: {
  readonly startIndex?: number | undefined
  readonly count?: number | undefined
}) {
  const first = Math.max(1, startIndex)
  return { offset: first - 1, limit: Math.min(Math.max(0, count), limits.scimPageItems), first }
}
