import * as z from 'zod/mini'

/** The identifier of a pet in the path. */
export interface PetInput {
  /** Not empty. The interface document says nothing else about it. */
  readonly petId: string
}

/** Checks the identifier of a pet before it goes into the path. */
export const petInputSchema: z.ZodMiniType<PetInput, PetInput> = z.object({
  // Not `minLength`: `refine` is loaded for other fields already.
  petId: z.string('expected a string').check(z.refine((id) => id !== '', 'expected a pet identifier')),
})
