export {
  instanceOf,
  readInstanceNumber as readProjectId,
  toInstanceId as toRepositoryId,
} from '../instance-ids.ts'

/** Returns the id of a person beyond their instance. */
export function toAccountId(instance: string, userId: string): string {
  return `${instance}/${userId}`
}

/** Returns the instance of the person who connected it. */
export function instanceOfAccount(accountId: string): string {
  return accountId.slice(0, accountId.lastIndexOf('/'))
}
