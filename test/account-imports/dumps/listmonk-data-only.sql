--
-- PostgreSQL database dump
--

\restrict lG3kIw8hd4YMSBYrUhA5EQN6hWwdLk1ebgaW03x3TE6U8pV7GvOK1Yc0Z3VtjXz

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Data for Name: subscribers; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.subscribers (id, uuid, email, name, attribs, status, created_at, updated_at) FROM stdin;
1	a0000000-0000-4000-8000-000000000001	ann@x.example	Ann Müller	{"city": "Bremen", "note": "tab\\there \\\\ \\"quoted\\" it's", "nested": {"a": [1, 2]}}	enabled	2026-11-27 21:01:53.394471+00	2026-11-27 21:01:53.394471+00
2	a0000000-0000-4000-8000-000000000002	bob@x.example	bob	{}	enabled	2026-11-27 21:01:53.394471+00	2026-11-27 21:01:53.394471+00
3	a0000000-0000-4000-8000-000000000003	cid@x.example	Cid	{}	blocklisted	2026-11-27 21:01:53.394471+00	2026-11-27 21:01:53.394471+00
4	a0000000-0000-4000-8000-000000000004	dan@x.example	Dan \\ (x;	{}	enabled	2026-11-27 21:01:53.394471+00	2026-11-27 21:01:53.394471+00
\.


--
-- Data for Name: bounces; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.bounces (id, subscriber_id, campaign_id, type, source, meta, created_at) FROM stdin;
1	4	\N	hard	api	{"x": "a'b;c"}	2026-11-27 21:01:53.407552+00
2	4	\N	hard	api	{}	2026-11-27 21:01:53.407552+00
3	2	\N	soft	api	{}	2026-11-27 21:01:53.407552+00
4	3	\N	complaint	api	{}	2026-11-27 21:01:53.407552+00
\.


--
-- Data for Name: links; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.links (id, uuid, url, created_at) FROM stdin;
1	b0000000-0000-4000-8000-000000000001	https://x.example/a'b;c	2026-11-27 21:02:31.396617+00
\.


--
-- Data for Name: lists; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.lists (id, uuid, name, type, optin, status, tags, description, created_at, updated_at) FROM stdin;
1	11111111-1111-4111-8111-111111111111	Weekly; news	public	double	active	{a,"b c"}	It's the 'weekly' one	2026-11-27 21:01:53.391898+00	2026-11-27 21:01:53.391898+00
2	22222222-2222-4222-8222-222222222222	Offers	private	single	active	{}		2026-11-27 21:01:53.391898+00	2026-11-27 21:01:53.391898+00
\.


--
-- Data for Name: subscriber_lists; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.subscriber_lists (subscriber_id, list_id, meta, status, created_at, updated_at) FROM stdin;
1	1	{}	confirmed	2026-11-27 21:01:53.404116+00	2026-11-27 21:01:53.404116+00
1	2	{}	unconfirmed	2026-11-27 21:01:53.404116+00	2026-11-27 21:01:53.404116+00
2	1	{}	unconfirmed	2026-11-27 21:01:53.404116+00	2026-11-27 21:01:53.404116+00
2	2	{}	unsubscribed	2026-11-27 21:01:53.404116+00	2026-11-27 21:01:53.404116+00
3	2	{}	confirmed	2026-11-27 21:01:53.404116+00	2026-11-27 21:01:53.404116+00
\.


--
-- Data for Name: templates; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY public.templates (id, name, type, subject, body, body_source, is_default, created_at, updated_at) FROM stdin;
1	Receipt	tx	Hi {{ .Subscriber.FirstName }}	<p>Order {{ .Tx.Data.order }}</p>\n<p>it's \\ fine; ok</p>	\N	f	2026-11-27 21:01:53.411901+00	2026-11-27 21:01:53.411901+00
2	Layout	campaign		<html>\n{{ template "content" . }}</html>	\N	f	2026-11-27 21:01:53.411901+00	2026-11-27 21:01:53.411901+00
\.


--
-- Name: bounces_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.bounces_id_seq', 4, true);


--
-- Name: links_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.links_id_seq', 1, true);


--
-- Name: lists_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.lists_id_seq', 2, true);


--
-- Name: subscribers_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.subscribers_id_seq', 4, true);


--
-- Name: templates_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('public.templates_id_seq', 2, true);


--
-- PostgreSQL database dump complete
--

\unrestrict lG3kIw8hd4YMSBYrUhA5EQN6hWwdLk1ebgaW03x3TE6U8pV7GvOK1Yc0Z3VtjXz

