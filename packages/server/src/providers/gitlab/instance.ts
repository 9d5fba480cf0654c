export {
  instanceOf,
  instanceOfAccount,
  readInstanceNumber as readProjectId,
  toInstanceId as toAccountId,
  toInstanceId as toRepositoryId,
} from '../codehosts/instance-ids.ts'
