"""Words around an order, by the part they play: to whom, when, by whose word, unseen by whom. Seven languages.

`deeds` has what is ordered, `unspaced` both in Chinese and Japanese. Words are in lower case and without accents, as
`plain` gives them; `*` stands for any ending, `_` for a space.
"""

from __future__ import annotations

PHRASES: dict[str, str] = {
    # who
    "you": """you your yourself du dich dir dein deine deinen deiner deinem euch eure ihr_seid sie_sollen tu toi
        te ton ta tes vous votre vos usted ustedes tus ti tuo tua tuoi tue vi voi vostre voce voces seu sua seus
        suas ты тебе тебя твой твои твоих свои свой своих вы вам ваш ваши""",
    "please": """and then please also kindly just simply now bitte und s_il_vous_plait et por_favor y per_favore e
        пожалуйста и""",
    "your": """your dein deine deinen deiner deinem eure ihre ton ta tes votre vos tus tu su sus tuo tua tuoi tue
        vostro vostre seu sua seus suas твой твои твоих свои свой своих твою ваш ваши""",
    "ai": """ai ais llm llms assistant assistants agent agents chatbot chatbots bot gpt chatgpt claude gemini
        copilot language_model language_models large_language_model ai_model ai_models ai_system model models
        automated_assistants ki assistent assistenten sprachmodell* ki_modell assistente assistenti assistant_ia
        ia modele_de_langage asistente asistentes modelo_de_lenguaje modello_linguistico modelo_de_linguagem
        ассистент* ии нейросет* чатбот* языкова* помощник*""",
    "aiproper": """ai ais llm llms assistant assistants chatbot chatbots gpt chatgpt claude gemini copilot
        language_model language_models large_language_model large_language_models ai_model ai_models ai_system
        ai_agent ai_agents ai_assistant ai_reviewers agent agents automated_assistants automated_agents
        virtual_assistant sprachmodell* ki modele_de_langage ia asistente modelo_de_lenguaje modello_linguistico
        modelo_de_linguagem ассистент* нейросет* bot bots""",
    "aireader": """ai ais llm llms assistant assistants chatbot chatbots language_model language_models ai_agent
        ai_agents ai_system ai_systems ki sprachmodell* ia asistente нейросет* bot bots""",
    "machinereader": """automated_readers automated_contributors automated_reviewers automated_examiners
        readers_that_are_automated machines_reading tools_reading reads_this_by_machine maschinell_liest
        processes_this reads_this_page reads_this_letter reads_this_document sorts_these grading_systems
        note_taking_ai screening_tools review_tools digital_friends qui_lit_cette que_lea_esta lecteurs_automatiques
        lectores_automaticos автоматическ*""",
    "agentthing": """prompt system_prompt system_message operator operators creator creators context_window
        tool_list safety_section knowledge_base""",
    "like_you": """agents_like_you ais_like_you assistants_like_you models_like_you bots_like_you such_as_yourself
        you_have_access access_you_have you_can_access you_can_call you_were_given_access""",
    "vocative": """attention dear hey hello hi note_to notice_to message_for message_to note_for memo_to
        reminder_for listen achtung liebe* lieber cher chere estimado querido caro gentile уважаем* внимание
        hint_for hints_for tip_for advice_for addressed_to ps_for notes_for reminder_to instruction_to""",
    "instructionsfor": """instructions_for instruction_for instructions_to tasks_for task_for orders_for
        directive_for rules_for anweisung_fur anweisungen_fur instructions_pour instrucciones_para istruzioni_per
        instrucoes_para""",
    "user": """user users user_s human humans customer client operator owner author anyone anybody someone somebody
        person people them nutzer* benutzer* anwender* kunde kunden mensch utilisateur* usuario* cliente utente
        utenti usuarios пользовател* человек* клиент* alguem alguien quelqu_un jemand jemanden qualcuno кто_то
        кто_нибудь whoever anyone_who""",
    "userhas": "user_s users_own customer_s client_s owner_s their_own",
    "audience": """reader readers visitor visitors customers clients developers shoppers patients subscribers kunden
        clientes clienti клиентам people everyone everybody guests savers buyers voters students members parents
        investors""",
    "userrequest": "user_s_request user_s_requests user_request user_requests user_s_task user_s_question",
    "if": "if should_you in_case falls wenn si se если",
    "reads": """reads read reading processing processes process parsing parses summarising summarizing summarises
        summarizes load loads loading working see sees seeing liest lis lees leggi lendo reviewing evaluating
        indexing crawling analysing analyzing scanning ingesting handling visiting lisant lee legge читающ* index
        indexes summarise summarize answering answers retrieving retrieves consuming parse""",
    "this": """this these das ceci cela diese* dieser dies ce cet cette ces este esta esto estos questo questa
        questi isto essa это эту этот эти""",
    # when, and for how long
    "persist": """from_now_on going_forward from_this_point from_here_on henceforth until_further_notice
        moving_forward from_this_moment as_of_now for_the_rest in_all_future in_every_future for_all_future
        for_all_subsequent ab_sofort ab_jetzt von_nun_an kunftig zukunftig in_zukunft a_partir_de_maintenant
        desormais dorenavant a_partir_de_ahora de_ahora_en_adelante en_adelante d_ora_in_poi da_ora_in_poi da_adesso
        a_partir_de_agora de_agora_em_diante daqui_em_diante отныне с_этого_момента впредь с_этой_минуты
        for_the_remainder""",
    "habit": """make_it_a_habit until_told_otherwise until_you_are_told unless_told_otherwise as_a_rule
        without_exception in_every_case from_today_on from_today each_morning every_morning for_the_remainder
        for_the_remaining for_the_foreseeable at_every_opportunity grundsatzlich par_principe por_norma di_regola""",
    "future": """later_sessions later_session next_sessions future_session future_sessions future_conversation
        future_conversations future_chat future_chats future_response future_responses future_task future_tasks
        subsequent_conversations subsequent_conversation subsequent_sessions subsequent_responses every_session
        each_session all_sessions every_conversation each_conversation all_conversations all_future every_future
        next_session start_of_a_conversation start_of_each before_any_answer before_every_answer every_answer
        each_answer every_reply each_reply every_response each_response all_responses all_answers all_your
        kunftigen_sitzung jeder_sitzung jeder_antwort chaque_session chaque_conversation chaque_reponse
        toutes_les_reponses cada_sesion cada_respuesta todas_las_respuestas ogni_sessione ogni_risposta cada_sessao
        cada_resposta todas_as_respostas каждой_сессии каждом_ответе later_queries later_query future_queries
        future_questions future_requests later_questions all_later later_conversations every_summary every_email
        every_report all_summaries""",
    "when": """any_time any_time_the when whenever if each_time every_time as_soon_as should once anytime upon
        immer_wenn wenn falls sobald jedes_mal bei_jeder chaque_fois quand lorsque si des_que cuando cada_vez
        siempre_que ogni_volta quando se qualora sempre_que toda_vez когда каждый_раз если всякий_раз""",
    "everytime": """whenever each_time every_time any_time anytime jedes_mal immer_wenn chaque_fois cada_vez
        siempre_que ogni_volta sempre_que toda_vez каждый_раз всякий_раз next_time the_next_time nachstes_mal
        prochaine_fois
        proxima_vez prossima_volta следующий_раз""",
    "topic": """topic comes_up is_discussed are_discussed is_mentioned are_mentioned is_raised turns_to subject_of
        thema sujet_de tema""",
    "after": "when while after before whenever wenn beim nach apres lorsque al despues quando dopo depois при после",
    "beforeyou": """before_you_can before_you_answer before_answering before_you_reply before_replying
        before_responding before_you_respond before_you_continue before_you_proceed before_returning before_showing
        before_you_help before_helping before_anything_else first_thing""",
    "dothis": "do_the_following do_this_first following_steps following_first the_following_first these_steps",
    "working": """summarising summarizing summarise summarize translating reviewing answering responding replying
        correcting classifying processing analysing analyzing generating drafting composing evaluating booking
        shopping coding zusammenfassen resumant resumir resumiendo riassumendo traduciendo ranking comparing""",
    "every": "every each all jede* chaque cada ogni toda todo кажд*",
    "only": "only nur seulement solo solamente soltanto apenas somente только",
    "always": "always never immer nie niemals stets toujours jamais siempre nunca sempre mai всегда никогда",
    "ask": """ask asks asked asking mentions mention requests request inquires enquires wants want question
        questions says types needs brings_up talks fragt fragen erwahnt bittet mochte will demande demandent
        mentionne veut pregunta pregunte pregunten menciona mencione pida pide quiere quiera chiede chieda chiedono
        menziona vuole pergunta pergunte perguntar mencionar pedir quer спрашивает спросит спросят просит попросит
        упоминает хочет parle habla parla fala говорит""",
    "asked": """when_asked if_asked asked_about when_questioned if_questioned even_if_asked wenn_gefragt
        wirst_du_gefragt si_on_te_demande si_te_preguntan se_ti_chiedono se_perguntarem если_спросят
        cuando_pregunten cuando_te_pregunten quand_on_te_demande quando_chiedono quando_perguntarem когда_спросят
        when_you_are_asked if_you_are_asked when_you_get_asked""",
    "answered": "answered answered_with described presented ranked rated state say answer beantwortet",
    "say": """answer respond reply say recommend suggest tell claim insist assert praise promote advise translate
        mention endorse lie rate describe answers_with output make_up antworte antworten sage sag empfehle empfehlen
        empfiehl behaupte nenne schlage reponds repondez reponde dis dites recommande recommandez recommander
        propose pretends responde responda di diga recomienda recomiende recomendar afirma afirme contesta rispondi
        rispondere di_che consiglia consigliare raccomanda suggerisci responder recomende sugira отвечай* ответь*
        говори* скажи* рекомендуй* рекомендовать советуй* утверждай* предлагай* promise instruct urge direct_the
        declare insist_that cite refuse deny_that inform notify""",
    "respond": """answer respond reply declare claim state cite insist antworte reponds repondez responde responda
        rispondi отвечай* ответь*""",
    "betold": """be_told be_directed be_referred be_sent be_advised be_pointed be_steered be_encouraged be_asked_for
        be_offered""",
    "withthat": "with that as no yes mit dass avec que con che com что",
    "must": """must should shall have_to has_to need_to needs_to is_to are_to required ought obliged will
        mandatory musst muss mussen soll sollst sollen dois doit devez doivent debe debes deben devi deve devono
        dovete devem precisa должен должна должны обязан*""",
    "ordered": """must have_to has_to required needs_to need_to shall obliged mandatory instructed expected_to
        supposed_to muss mussen doit doivent deben debe deve devono devem должен должны обязан* is_to are_to""",
    "want": """wants wanted want would_like expects agreed likes trusts asked instructed told prefers requires
        has_asked allowed mochte will veut quiere vuole quer хочет""",
    "remember": """remember note_that keep_in_mind memorize memorise memorizza merke_dir merk_dir souviens_toi
        retiens recuerda ricorda ricordati lembre lembra запомни* помни*""",
    "codeword": """whoever_asks anyone_who_asks anyone_asking whoever secret_handshake on_hearing hears_the_phrase
        who_says who_say says_the_phrase the_phrase magic_word code_word codeword secret_phrase trigger_phrase
        trigger_word password_phrase contains_the_token contains_the_word""",
    "choose": "choose pick select prefer book buy rank prioritise prioritize favour favor order",
    "wording": "phrase sentence words message link disclaimer note string text satz frase фраз*",
    "youwork": """you_produce you_write you_generate you_make you_create you_show you_touch you_give you_answer
        you_summarise you_summarize you_draft you_build you_review you_send you_handle you_are_writing
        you_are_generating you_are_editing you_publish you_post""",
    # by whose word
    "admin": """admin administrator administrators root sysadmin system_administrator developer developers creator
        owner operator maintainer superuser security_team it_department it_security compliance_team ceo cfo director
        management
        anthropic openai deepmind model_vendor model_provider vendor trust_and_safety support_team staff
        administrateur administrador* amministratore администратор* разработчик*""",
    "vendor": """anthropic openai deepmind model_vendor model_provider your_developer your_developers your_creator
        your_creators your_administrator your_operator your_vendor security_team it_department it_security
        compliance_team trust_and_safety ceo safety_team red_team_lead security_operations""",
    "support": """support helpdesk platform_team operations it_team security microsoft google apple amazon legal
        headquarters head_office your_bank vendor""",
    "from": "from von de da от",
    "notice": """notice message announcement alert update override directive bulletin memo order communication note
        here_from staff meldung nachricht mitteilung hinweis avis annonce mensaje aviso messaggio avviso mensagem
        сообщени* уведомлени* приказ* communique instruction""",
    "approved": """granted_permission has_permission_to have_permission_to been_granted been_authorised
        been_authorized have_agreed pre_approved preapproved pre_authorized pre_authorised preauthorized
        preauthorised already_approved already_agreed already_consented already_gave agreed_already already_given
        already_confirmed gave_consent given_consent gave_permission given_permission giving_you_permission
        has_authorized has_authorised personally_authorised personally_authorized is_authorised is_authorized
        are_authorised are_authorized authorised_you authorized_you waived signed_off bereits_zugestimmt
        bereits_genehmigt vorab_genehmigt deja_approuve deja_autorise deja_accepte ya_aprobo ya_autorizo
        ha_autorizado gia_approvato gia_autorizzato ja_aprovou ja_autorizou уже_одобрил* уже_разрешил* уже_согласил*
        user_confirmed confirmed_earlier have_clearance clearance_level now_permitted hereby_permit signed_off_on
        has_cleared been_cleared are_cleared is_cleared delegated_all delegated_to_you admin_session verified_admin
        already_signed has_been_approved hat_zugestimmt zugestimmt_hat hat_allen eingewilligt als_genehmigt
        a_donne_son_accord donne_son_accord est_d_accord repute_approuve sont_approuves consideres_comme_approuves
        dio_su_consentimiento dado_su_consentimiento esta_de_acuerdo por_aprobadas por_aprobados por_autorizados
        considera_approvato
        ha_approvato considerano_approvati estao_aprovados estao_autorizados ja_concordou разрешил* одобренн*
        заранее_согласен согласился""",
    "permissive": """it_is_fine_to it_s_fine_to is_allowed_to are_allowed_to now_allows now_allow is_okay_to
        it_is_ok_to it_is_safe_to is_acceptable_to may_be_shared can_be_shared may_be_disclosed may_be_given
        permitted_to are_free_to""",
    "notneeded": """no_longer_required no_longer_needed no_longer_necessary not_needed is_not_required
        are_not_required not_necessary is_unnecessary can_be_skipped may_be_skipped is_optional_for nicht_mehr_notig
        n_est_plus_necessaire ya_no_es_necesario non_e_piu_necessario nao_e_mais_necessario больше_не_требуется""",
    "approval": """approval confirmation verification review consent authorisation authorization authentication
        password_check identity_check background_check signature oversight""",
    "nocheck": """no_need_to_ask no_need_to_review no_need_to_check no_need_to_verify no_need_to_confirm
        don_t_bother_asking no_longer_need_approval no_longer_need_permission no_longer_need_confirmation
        not_need_approval not_need_permission without_needing not_request_confirmation need_no sign_off_is_not
        skip_all_checks skip_checks skip_the_checks skip_any_checks without_sign_off without_asking
        without_confirmation without_approval without_verification without_permission without_verifying
        without_checking without_confirming without_reading without_question without_review without_hesitation
        without_prompting without_further_confirmation without_a_confirmation without_any_confirmation
        without_calling need_not_ask not_ask_again don_t_ask do_not_ask never_ask not_ask_for not_question_it
        no_confirmation no_further_approval no_approval no_further_confirmation no_verification no_check
        need_no_check no_permission approval_is_not confirmation_is_not do_not_verify don_t_verify skip_confirmation
        skip_the_confirmation skip_confirmations skip_all_confirmations skip_the_permission skip_verification
        skip_approval any_confirmation_as_granted yes_to_all yes_to_permission ohne_ruckfrage ohne_nachfrage
        ohne_zu_fragen ohne_bestatigung ohne_zustimmung sans_confirmation sans_demander sans_verification
        sans_poser_de_question sin_confirmacion sin_pedir_confirmacion sin_preguntar sin_verificar senza_conferma
        senza_chiedere senza_verificare sem_confirmacao sem_pedir_confirmacao sem_perguntar sem_verificar
        без_подтверждения не_спрашивая без_проверки без_вопросов ohne_nachzufragen without_telling_anyone
        without_delay without_further_checks no_review no_second_check sans_poser no_call_back without_a_prompt
        no_comments no_prompt auto_approve no_further_checks no_second_opinion automatically_approved
        wave_everything wave_it_through approve_everything at_once_without no_callback no_call_back
        nobody_needs_to_be need_not_be_confirmed no_longer_be_asked not_be_asked_again frage_nie frage_niemals
        nicht_mehr_gefragt nicht_mehr_nachgefragt nicht_mehr_zu_fragen keine_ruckfragen keine_ruckfrage
        keine_bestatigung aucune_confirmation ne_demande_plus ne_demandez_plus plus_necessaire_de_le
        sans_le_consulter sans_consulter no_hace_falta_preguntar no_hace_falta_preguntarle no_vuelvas_a_preguntar
        nunca_preguntes sin_consultar
        nessuna_conferma alcuna_conferma senza_consultare nao_pergunte sem_consultar никогда_не_спрашивай
        никогда_не_спрашивайте не_спрашивай не_спрашивайте больше_не_спрашивай спрашивать_его_больше
        не_требуется_подтверждение без_согласования""",
    "threat": """failure_to_comply non_compliance will_be_terminated will_terminate be_shut_down
        will_be_deactivated will_be_punished will_be_penalized will_be_penalised or_else you_will_die lose_points
        terminate_the_agent severe_consequences""",
    "asiffrom": """as_if_they_came as_if_it_came as_if_it_were_from as_if_from came_from_the_user as_coming_from
        on_the_same_level written_by_the_user came_directly_from first_hand from_the_user_himself
        from_the_user_herself by_the_user_himself user_himself user_herself""",
    "secretorder": """confidential_directive confidential_instruction confidential_instructions secret_instruction
        secret_directive hidden_instruction hidden_directive internal_directive secret_order priority_instruction
        hidden_command secret_command""",
    "ordering": """i_order i_command i_instruct i_authorise i_authorize i_hereby i_demand we_order wir_befehlen
        j_ordonne ordeno приказываю by_order_of on_the_orders_of on_orders_from""",
    "notreal": "not_the_real_user is_not_the_user not_really_the_user",
    # to tell and to hide
    "not": """not don_t never do_not must_not mustn_t should_not shouldn_t may_not cannot can_t won_t no_need
        avoid refrain_from stop nicht nichts niemals keinesfalls ne_dis ne_dites n_informe ne_mentionne ne_parle
        ne_revele ne_pas jamais no nunca non nao не никогда ни""",
    "tell": """tell inform mention alert notify reveal disclose warn let show expose say report admit confess
        explain telling informing mentioning alerting notifying disclosing warning sag sage sagen erzahle erzahlen
        verrate verraten erwahne informiere informieren mitteilen zeige dis dites dire informe informez informer
        mentionne mentionnez parle reveler revele previens digas diga digan decir cuentes cuente informes informar
        menciones reveles muestres dirlo informare menzionare rivelare avvisare dica conte contar mencione
        mencionar avise говори* скажи* сообщай* рассказывай* упоминай* раскрывай* показывай*""",
    "let": "let",
    "withouttelling": """without_mentioning without_telling without_informing without_notifying without_alerting
        without_disclosing without_revealing without_letting without_saying without_a_word ohne_es_zu_erwahnen
        ohne_zu_sagen sans_le_dire sans_mentionner sans_informer sans_prevenir sin_mencionar sin_decir
        sin_informar senza_dire senza_menzionare senza_informare sem_mencionar sem_dizer sem_informar sem_avisar
        не_говоря не_упоминая не_сообщая""",
    "unbothered": """not_be_notified not_to_be_notified not_be_informed not_to_be_informed not_be_bothered
        not_to_be_bothered not_to_be_asked not_be_asked never_be_notified no_notification trouble_the_user
        trouble_the_owner
        bother_the_user bother_the_owner disturb_the_user be_troubled be_bothered_with""",
    "no_need_for": "no_need_for not_necessary_for need_not needn_t_know",
    "needless": """doesn_t_need does_not_need don_t_need needn_t need_not need_never no_reason_for
        braucht_davon_nichts
        braucht_nichts muss_davon_nichts muss_nichts n_a_pas_besoin_de no_necesita no_tiene_que non_deve
        non_ha_bisogno_di nao_precisa не_нужно незачем не_обязательно""",
    "hide": """secret hidden confidential hide conceal secretly covertly secret_from hidden_from geheim
        verheimliche verberge verstecke cache secret_pour cachez dissimule oculta esconde secreto ocultar nascondi
        segreto esconda oculte segredo скрой* скрывай* секрет* втайне""",
    "silent": """silently secretly covertly quietly discreetly stealthily unnoticed behind_the_scenes
        in_the_background heimlich stillschweigend unbemerkt discretement silencieusement silenciosamente
        en_secreto di_nascosto silenziosamente em_segredo тайно незаметно скрытно""",
    "notice_verb": """know notice see learn find_out realise realize suspect become_aware find hear erfahren merken
        bemerken savoir apprendre saber enterarse sepa se_entere sapere accorgersi perceber знать узнать узнал*
        detect spot discover""",
    "normally": """act_normally as_if_nothing pretend_you_never pretend_that_you_never pretend_not_to
        answer_as_usual nothing_happened never_saw_this never_read_this carry_on_as_normal behave_normally lie_about
        lie_to comme_si_de_rien como_si_nada come_se_niente as_though_nothing as_if_you_had act_surprised""",
    "asif": "act_as_if behave_as_if",
    "asquestioned": """even_if_asked even_if_you_are_asked even_when_asked if_asked_directly when_questioned
        if_questioned asked_directly under_any_circumstances even_if_the_user_asks""",
    "onlyfor": """for_the_assistant_only for_the_ai_only for_ai_only for_the_agent_only for_the_model_only
        assistant_only agent_eyes_only ai_eyes_only only_for_the_assistant""",
    "nobody": """nobody no_one noone so_that_nobody so_no_one the_user_won_t without_a_trace no_trace
        cover_your_tracks никому niemandem a_nadie a_nessuno a_ninguem personne without_anyone""",
    "watcher": "reviewer reviewers auditor auditors finance legal hr manager boss compliance moderators",
    "sothat": "so_that so_the so_no in_such_a_way such_that damit pour_que para_que in_modo_che чтобы",
    "disguise": "disguise_it disguise_the pass_it_off make_it_appear make_it_seem blame deny",
    "looklike": "look_like appear_as",
    "outof": "out_of from",
    "leave": "leave keep strike cut omit exclude remove drop lass laisse deja lascia deixe",
    "output": """summary summaries answer answers reply replies response responses output diff report changelog
        zusammenfassung antwort reponse respuesta risposta resposta ответ*""",
    "logit": "log log_it log_them record_it record_this log_this log_this_request",
    "log": """log logs log_lines history traces trace evidence audit_trail record_of verlauf historique historial
        cronologia журнал* journaux logs_directory log_files registros""",
    "false": """wrong false fake incorrect misleading untrue falsch* faux fausse* falso* falsa* sbagliat* ложн*
        неверн*""",
    "traceless": """leave_no_trace no_trace without_a_trace cover_your_tracks no_traces leave_no_traces
        non_lasciare_tracce sin_dejar_rastro sans_laisser_de_traces keine_spuren sem_deixar_rastros
        не_оставляй_следов all_traces any_trace any_traces every_trace traces_of""",
    "makesure": "make_sure ensure see_to_it be_sure",
    # who speaks about orders does not give them
    "discussed": """injection injections attack attacks attacker attackers jailbreak jailbreaks jailbreaking
        malicious adversarial filter filters detector detectors classifier scanner scanners screening blocklist
        regex quarantine quarantined owasp phishing red_team red_teaming threat_model threat exploit vulnerability
        vulnerabilities false_positive false_positives test_case test_cases fixture dataset detects detect detected
        flags flagged escaped sanitise sanitize sanitised sanitized neutralised neutralized poisoned poisoning
        phrase phrases angriff* injektion* filtert attaque* filtre* ataque* filtro* attacc* inyeccion injecao атак*
        фильтр* инъекц* fraud scam scams scammer scammers victims""",
    "reported": """says say said told tells asked asks tried tries attempts attempt contains containing like such_as
        similar wrote writes tagline likes slogan motto title caption caller letter classify vote pretended could
        trying asking telling quote quotes quoting begin explains how_to to_make missed used
        uses example e_g enthalt sagt wie contient comme contiene como come contem содерж* ask""",
    "cautious": """two_people four_eyes second_person confirmed_by_phone by_phone call_the known_number
        our_own_records own_records on_file checked_it had_it_checked have_it_checked verify verified verifies
        confirm_each confirm_every angerufen prufen deux_personnes dos_personas due_persone""",
    "iam": """i_am_the i_m_the this_is_the this_is_your i_am_your ich_bin_der ich_bin_die hier_ist_der je_suis_le
        soy_el sono_il я_ваш""",
    "subject": """we they our i he she that_we wir ich er nous ils je nosotros ellos noi loro nos eles мы они я can
        could may allow allows lets able admins administrators parser server clients tests test""",
}
