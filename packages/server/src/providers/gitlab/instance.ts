export {
  instanceOf,
  readInstanceNumber as readProjectId,
  toInstanceId as toRepositoryId,
} from '../instance-ids.ts'
