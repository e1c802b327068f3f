// Packing of float operands whose rows are to be turned. BLIS's own loop for these gathers each column cell by cell, and
// where rows lie a power of two apart every cell pushes a line out of the nearest cache that the next column wants again.
// Here four rows go through four by four cells, 16 columns at a time: a line is read once.
#ifdef __SSE__
#include <xmmintrin.h>

#define PACKM_TURNS( dt, dfac, lda, kappa ) ( (dt) == BLIS_FLOAT && (dfac) == 1 && (lda) == 1 && *( const float* )(kappa) == 1.0F )

static void packm_turned( dim_t rows, dim_t columns, const float* a, inc_t inca, float* p, inc_t ldp )
{
	const dim_t line = 16;
	for ( dim_t first = 0; first < columns; first += line )
	{
		const dim_t count = columns - first < line ? columns - first : line;
		dim_t row = 0;
		for ( ; row + 4 <= rows; row += 4 )
		{
			const float* from = a + row * inca + first;
			float* to = p + first * ldp + row;
			dim_t k = 0;
			for ( ; k + 4 <= count; k += 4 )
			{
				__m128 x0 = _mm_loadu_ps( from + k );
				__m128 x1 = _mm_loadu_ps( from + k + inca );
				__m128 x2 = _mm_loadu_ps( from + k + 2 * inca );
				__m128 x3 = _mm_loadu_ps( from + k + 3 * inca );
				_MM_TRANSPOSE4_PS( x0, x1, x2, x3 );
				_mm_storeu_ps( to + k * ldp, x0 );
				_mm_storeu_ps( to + ( k + 1 ) * ldp, x1 );
				_mm_storeu_ps( to + ( k + 2 ) * ldp, x2 );
				_mm_storeu_ps( to + ( k + 3 ) * ldp, x3 );
			}
			for ( ; k < count; ++k )
				for ( dim_t r = 0; r < 4; ++r ) to[ k * ldp + r ] = from[ r * inca + k ];
		}
		for ( ; row < rows; ++row )
			for ( dim_t k = first; k < first + count; ++k ) p[ k * ldp + row ] = a[ row * inca + k ];
	}
}
#else
#define PACKM_TURNS( dt, dfac, lda, kappa ) 0
#define packm_turned( rows, columns, a, inca, p, ldp )
#endif
