export { Secrets } from './secrets.ts'
export {
  cacheDirectory,
  createDiskStorage,
  type DiskStorage,
  type DiskStorageOptions,
} from './disk-storage.ts'
