/** What `page.tsx` shows, and on which service. */
export interface Scene {
  readonly name: string
  readonly language: Language
  readonly baseUrl: string
  readonly quickstartBaseUrl: string
}

export type Language = 'en' | 'ar'
