export { fingerprintSecrets, type Fingerprint, type Fingerprints } from './fingerprints.ts'
export type { BuiltFile } from './parts-of-file.ts'
export { describeLeak, scanFile, type Leak, type SecretPatterns } from './scan.ts'
export type { WrittenForm } from './written-forms.ts'
