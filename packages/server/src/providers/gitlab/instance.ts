export {
  instanceOf,
  readInstanceNumber as readProjectId,
  toInstanceId as toAccountId,
  toInstanceId as toRepositoryId,
} from '../codehosts/instance-ids.ts'

/** Returns the instance of the person who connected it. */
export function instanceOfAccount(accountId: string): string {
  return accountId.slice(0, accountId.lastIndexOf('/'))
}
