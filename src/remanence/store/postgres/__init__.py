"""The store for many machines: PostgreSQL with pgvector, through psycopg."""
