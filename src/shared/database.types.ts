/** Generated from supabase/migrations by `npm run types`. Do not edit. */

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      activity: {
        Row: {
          last_active_at: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          last_active_at?: string
          user_id: string
        }
        Update: {
          last_active_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'activity_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      blocks: {
        Row: {
          blocked_id: string
          blocker_id: string
          created_at: string
        }
        ComputedFields: never
        Insert: {
          blocked_id: string
          blocker_id: string
          created_at?: string
        }
        Update: {
          blocked_id?: string
          blocker_id?: string
          created_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'blocks_blocked_id_fkey'
            columns: ['blocked_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'blocks_blocker_id_fkey'
            columns: ['blocker_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      comment_likes: {
        Row: {
          comment_id: string
          created_at: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          comment_id: string
          created_at?: string
          user_id: string
        }
        Update: {
          comment_id?: string
          created_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'comment_likes_comment_id_fkey'
            columns: ['comment_id']
            isOneToOne: false
            referencedRelation: 'comments'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'comment_likes_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      comments: {
        Row: {
          content: string
          created_at: string
          id: string
          like_count: number
          parent_id: string | null
          post_id: string
          reply_count: number
          user_id: string
          shown_like_count: number | null
          shown_reply_count: number | null
        }
        ComputedFields: 'shown_like_count' | 'shown_reply_count'
        Insert: {
          content: string
          created_at?: string
          id?: string
          like_count?: number
          parent_id?: string | null
          post_id: string
          reply_count?: number
          user_id: string
        }
        Update: {
          content?: string
          created_at?: string
          id?: string
          like_count?: number
          parent_id?: string | null
          post_id?: string
          reply_count?: number
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'comments_parent_id_fkey'
            columns: ['parent_id']
            isOneToOne: false
            referencedRelation: 'comments'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'comments_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'comments_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      conversation_members: {
        Row: {
          conversation_id: string
          invited_by: string | null
          joined_at: string | null
          left_at: string | null
          member_id: string
          read_at: string | null
          read_id: string | null
          role: string
          state: string
        }
        ComputedFields: never
        Insert: {
          conversation_id: string
          invited_by?: string | null
          joined_at?: string | null
          left_at?: string | null
          member_id: string
          read_at?: string | null
          read_id?: string | null
          role?: string
          state?: string
        }
        Update: {
          conversation_id?: string
          invited_by?: string | null
          joined_at?: string | null
          left_at?: string | null
          member_id?: string
          read_at?: string | null
          read_id?: string | null
          role?: string
          state?: string
        }
        Relationships: [
          {
            foreignKeyName: 'conversation_members_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_members_invited_by_fkey'
            columns: ['invited_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_members_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      conversation_views: {
        Row: {
          accepted: boolean
          cleared_at: string | null
          conversation_id: string
          delivered_at: string | null
          folder: string
          is_group: boolean
          last_message_at: string
          listed_at: string
          mark_at: string | null
          mark_id: string | null
          member_id: string
          muted_until: string | null
          pinned_at: string | null
          reads_after: string
          sees_members: boolean
          undelivered: boolean
          unread: boolean
          writes: boolean
        }
        ComputedFields: never
        Insert: {
          accepted: boolean
          cleared_at?: string | null
          conversation_id: string
          delivered_at?: string | null
          folder: string
          is_group?: boolean
          last_message_at: string
          listed_at: string
          mark_at?: string | null
          mark_id?: string | null
          member_id: string
          muted_until?: string | null
          pinned_at?: string | null
          reads_after?: string
          sees_members?: boolean
          undelivered?: boolean
          unread?: boolean
          writes?: boolean
        }
        Update: {
          accepted?: boolean
          cleared_at?: string | null
          conversation_id?: string
          delivered_at?: string | null
          folder?: string
          is_group?: boolean
          last_message_at?: string
          listed_at?: string
          mark_at?: string | null
          mark_id?: string | null
          member_id?: string
          muted_until?: string | null
          pinned_at?: string | null
          reads_after?: string
          sees_members?: boolean
          undelivered?: boolean
          unread?: boolean
          writes?: boolean
        }
        Relationships: [
          {
            foreignKeyName: 'conversation_views_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_views_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      conversations: {
        Row: {
          created_at: string
          epoch: number
          from_start: boolean
          id: string
          kind: string
          last_message_at: string
          name: string | null
          participant_1: string | null
          participant_1_wrote: boolean
          participant_2: string | null
          participant_2_wrote: boolean
          picture_path: string | null
          pictured_by: string | null
          started_by: string | null
          version: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          epoch?: number
          from_start?: boolean
          id?: string
          kind?: string
          last_message_at?: string
          name?: string | null
          participant_1?: string | null
          participant_1_wrote?: boolean
          participant_2?: string | null
          participant_2_wrote?: boolean
          picture_path?: string | null
          pictured_by?: string | null
          started_by?: string | null
          version?: number
        }
        Update: {
          created_at?: string
          epoch?: number
          from_start?: boolean
          id?: string
          kind?: string
          last_message_at?: string
          name?: string | null
          participant_1?: string | null
          participant_1_wrote?: boolean
          participant_2?: string | null
          participant_2_wrote?: boolean
          picture_path?: string | null
          pictured_by?: string | null
          started_by?: string | null
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: 'conversations_participant_1_fkey'
            columns: ['participant_1']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversations_participant_2_fkey'
            columns: ['participant_2']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversations_pictured_by_fkey'
            columns: ['pictured_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      follow_requests: {
        Row: {
          created_at: string
          requester_id: string
          target_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          requester_id: string
          target_id: string
        }
        Update: {
          created_at?: string
          requester_id?: string
          target_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'follow_requests_requester_id_fkey'
            columns: ['requester_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'follow_requests_target_id_fkey'
            columns: ['target_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      follows: {
        Row: {
          created_at: string
          follower_id: string
          following_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          follower_id: string
          following_id: string
        }
        Update: {
          created_at?: string
          follower_id?: string
          following_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'follows_follower_id_fkey'
            columns: ['follower_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'follows_following_id_fkey'
            columns: ['following_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      hashtag_follows: {
        Row: {
          created_at: string
          follower_id: string
          tag: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          follower_id: string
          tag: string
        }
        Update: {
          created_at?: string
          follower_id?: string
          tag?: string
        }
        Relationships: [
          {
            foreignKeyName: 'hashtag_follows_follower_id_fkey'
            columns: ['follower_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      likes: {
        Row: {
          created_at: string
          post_id: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          post_id: string
          user_id: string
        }
        Update: {
          created_at?: string
          post_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'likes_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'likes_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      message_media: {
        Row: {
          bytes: number | null
          conversation_id: string
          created_at: string
          duration_ms: number | null
          id: string
          image_url: string | null
          kind: string
          media_path: string | null
          media_type: string | null
          name: string | null
          peaks: number[] | null
          poster_path: string | null
          sender_id: string
          sent: boolean
        }
        ComputedFields: never
        Insert: {
          bytes?: number | null
          conversation_id: string
          created_at?: string
          duration_ms?: number | null
          id?: string
          image_url?: string | null
          kind?: string
          media_path?: string | null
          media_type?: string | null
          name?: string | null
          peaks?: number[] | null
          poster_path?: string | null
          sender_id: string
          sent?: boolean
        }
        Update: {
          bytes?: number | null
          conversation_id?: string
          created_at?: string
          duration_ms?: number | null
          id?: string
          image_url?: string | null
          kind?: string
          media_path?: string | null
          media_type?: string | null
          name?: string | null
          peaks?: number[] | null
          poster_path?: string | null
          sender_id?: string
          sent?: boolean
        }
        Relationships: [
          {
            foreignKeyName: 'message_media_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'message_media_sender_id_fkey'
            columns: ['sender_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      message_reactions: {
        Row: {
          conversation_id: string
          created_at: string
          emoji: string
          member_id: string
          message_id: string
        }
        ComputedFields: never
        Insert: {
          conversation_id?: string
          created_at?: string
          emoji: string
          member_id: string
          message_id: string
        }
        Update: {
          conversation_id?: string
          created_at?: string
          emoji?: string
          member_id?: string
          message_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'message_reactions_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'message_reactions_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'message_reactions_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      messages: {
        Row: {
          answers_story: boolean
          content: string
          conversation_id: string
          created_at: string
          deleted_at: string | null
          edited_at: string | null
          forwarded: boolean
          id: string
          image_height: number | null
          image_width: number | null
          media_id: string | null
          read: boolean
          read_at: string | null
          recipient_id: string | null
          reply_to_id: string | null
          sender_id: string
          shared_kind: string | null
          shared_post_id: string | null
          shared_profile_id: string | null
          shared_story_id: string | null
          story_id: string | null
          thumbhash: string | null
          thumbnail_url: string | null
        }
        ComputedFields: never
        Insert: {
          answers_story?: boolean
          content: string
          conversation_id: string
          created_at?: string
          deleted_at?: string | null
          edited_at?: string | null
          forwarded?: boolean
          id?: string
          image_height?: number | null
          image_width?: number | null
          media_id?: string | null
          read?: boolean
          read_at?: string | null
          recipient_id?: string | null
          reply_to_id?: string | null
          sender_id: string
          shared_kind?: string | null
          shared_post_id?: string | null
          shared_profile_id?: string | null
          shared_story_id?: string | null
          story_id?: string | null
          thumbhash?: string | null
          thumbnail_url?: string | null
        }
        Update: {
          answers_story?: boolean
          content?: string
          conversation_id?: string
          created_at?: string
          deleted_at?: string | null
          edited_at?: string | null
          forwarded?: boolean
          id?: string
          image_height?: number | null
          image_width?: number | null
          media_id?: string | null
          read?: boolean
          read_at?: string | null
          recipient_id?: string | null
          reply_to_id?: string | null
          sender_id?: string
          shared_kind?: string | null
          shared_post_id?: string | null
          shared_profile_id?: string | null
          shared_story_id?: string | null
          story_id?: string | null
          thumbhash?: string | null
          thumbnail_url?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'messages_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_media_id_fkey'
            columns: ['media_id']
            isOneToOne: false
            referencedRelation: 'message_media'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_recipient_id_fkey'
            columns: ['recipient_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_reply_to_id_fkey'
            columns: ['reply_to_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_sender_id_fkey'
            columns: ['sender_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_shared_post_id_fkey'
            columns: ['shared_post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_shared_profile_id_fkey'
            columns: ['shared_profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_shared_story_id_fkey'
            columns: ['shared_story_id']
            isOneToOne: false
            referencedRelation: 'stories'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_story_id_fkey'
            columns: ['story_id']
            isOneToOne: false
            referencedRelation: 'stories'
            referencedColumns: ['id']
          },
        ]
      }
      mutes: {
        Row: {
          created_at: string
          muted_id: string
          muter_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          muted_id: string
          muter_id: string
        }
        Update: {
          created_at?: string
          muted_id?: string
          muter_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'mutes_muted_id_fkey'
            columns: ['muted_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'mutes_muter_id_fkey'
            columns: ['muter_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      notifications: {
        Row: {
          about: string | null
          actor_id: string
          comment_id: string | null
          created_at: string
          group_key: string
          id: string
          message: string | null
          post_id: string | null
          read: boolean
          story_id: string | null
          type: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          about?: string | null
          actor_id: string
          comment_id?: string | null
          created_at?: string
          group_key?: never
          id?: string
          message?: string | null
          post_id?: string | null
          read?: boolean
          story_id?: string | null
          type: string
          user_id: string
        }
        Update: {
          about?: string | null
          actor_id?: string
          comment_id?: string | null
          created_at?: string
          group_key?: never
          id?: string
          message?: string | null
          post_id?: string | null
          read?: boolean
          story_id?: string | null
          type?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'notifications_actor_id_fkey'
            columns: ['actor_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'notifications_comment_id_fkey'
            columns: ['comment_id']
            isOneToOne: false
            referencedRelation: 'comments'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'notifications_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'notifications_story_id_fkey'
            columns: ['story_id']
            isOneToOne: false
            referencedRelation: 'stories'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'notifications_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      post_media: {
        Row: {
          alt_text: string | null
          camera: Json | null
          captions: string | null
          color_space: string | null
          duration_ms: number | null
          feed_path: string
          full_path: string
          grid_path: string
          has_captions: boolean
          has_sound: boolean | null
          height: number
          id: string
          kind: string
          media_path: string | null
          middle_path: string | null
          position: number
          post_id: string
          thumbhash: string
          user_id: string
          width: number
        }
        ComputedFields: never
        Insert: {
          alt_text?: string | null
          camera?: Json | null
          captions?: string | null
          color_space?: string | null
          duration_ms?: number | null
          feed_path: string
          full_path: string
          grid_path: string
          has_captions?: boolean
          has_sound?: boolean | null
          height: number
          id?: string
          kind?: string
          media_path?: string | null
          middle_path?: string | null
          position: number
          post_id: string
          thumbhash: string
          user_id: string
          width: number
        }
        Update: {
          alt_text?: string | null
          camera?: Json | null
          captions?: string | null
          color_space?: string | null
          duration_ms?: number | null
          feed_path?: string
          full_path?: string
          grid_path?: string
          has_captions?: boolean
          has_sound?: boolean | null
          height?: number
          id?: string
          kind?: string
          media_path?: string | null
          middle_path?: string | null
          position?: number
          post_id?: string
          thumbhash?: string
          user_id?: string
          width?: number
        }
        Relationships: [
          {
            foreignKeyName: 'post_media_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'post_media_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      post_tags: {
        Row: {
          created_at: string
          post_id: string
          tagged_user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          post_id: string
          tagged_user_id: string
        }
        Update: {
          created_at?: string
          post_id?: string
          tagged_user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'post_tags_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'post_tags_tagged_user_id_fkey'
            columns: ['tagged_user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      post_topics: {
        Row: {
          audience: string
          created_at: string
          kind: string
          label: string
          post_id: string
          topic: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          audience: string
          created_at: string
          kind: string
          label: string
          post_id: string
          topic: string
          user_id: string
        }
        Update: {
          audience?: string
          created_at?: string
          kind?: string
          label?: string
          post_id?: string
          topic?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'post_topics_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'post_topics_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      posts: {
        Row: {
          alt_text: string | null
          audience: string
          comment_count: number
          content: string
          created_at: string
          edited_at: string | null
          id: string
          image_height: number | null
          image_url: string | null
          image_width: number | null
          like_count: number
          location: string | null
          state: string
          thumbnail_url: string | null
          user_id: string
          shown_comment_count: number | null
          shown_like_count: number | null
        }
        ComputedFields: 'shown_comment_count' | 'shown_like_count'
        Insert: {
          alt_text?: string | null
          audience?: string
          comment_count?: number
          content?: string
          created_at?: string
          edited_at?: string | null
          id?: string
          image_height?: number | null
          image_url?: string | null
          image_width?: number | null
          like_count?: number
          location?: string | null
          state?: string
          thumbnail_url?: string | null
          user_id: string
        }
        Update: {
          alt_text?: string | null
          audience?: string
          comment_count?: number
          content?: string
          created_at?: string
          edited_at?: string | null
          id?: string
          image_height?: number | null
          image_url?: string | null
          image_width?: number | null
          like_count?: number
          location?: string | null
          state?: string
          thumbnail_url?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'posts_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      profiles: {
        Row: {
          allow_story_replies: boolean
          avatar_path: string | null
          avatar_url: string | null
          bio: string
          created_at: string
          follower_count: number
          following_count: number
          full_name: string
          id: string
          is_private: boolean
          new_messages_from: string
          post_count: number
          read_receipts: boolean
          show_activity_status: boolean
          updated_at: string
          username: string
          website: string | null
          shown_follower_count: number | null
          shown_following_count: number | null
          shown_post_count: number | null
        }
        ComputedFields: 'shown_follower_count' | 'shown_following_count' | 'shown_post_count'
        Insert: {
          allow_story_replies?: boolean
          avatar_path?: string | null
          avatar_url?: string | null
          bio?: string
          created_at?: string
          follower_count?: number
          following_count?: number
          full_name?: string
          id: string
          is_private?: boolean
          new_messages_from?: string
          post_count?: number
          read_receipts?: boolean
          show_activity_status?: boolean
          updated_at?: string
          username: string
          website?: string | null
        }
        Update: {
          allow_story_replies?: boolean
          avatar_path?: string | null
          avatar_url?: string | null
          bio?: string
          created_at?: string
          follower_count?: number
          following_count?: number
          full_name?: string
          id?: string
          is_private?: boolean
          new_messages_from?: string
          post_count?: number
          read_receipts?: boolean
          show_activity_status?: boolean
          updated_at?: string
          username?: string
          website?: string | null
        }
        Relationships: []
      }
      reports: {
        Row: {
          created_at: string
          details: string | null
          id: string
          member_id: string
          post_content: string | null
          post_id: string | null
          reason: string
          reporter_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          details?: string | null
          id?: string
          member_id: string
          post_content?: string | null
          post_id?: string | null
          reason: string
          reporter_id: string
        }
        Update: {
          created_at?: string
          details?: string | null
          id?: string
          member_id?: string
          post_content?: string | null
          post_id?: string | null
          reason?: string
          reporter_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'reports_member_id_fkey'
            columns: ['member_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reports_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reports_reporter_id_fkey'
            columns: ['reporter_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      saved_posts: {
        Row: {
          created_at: string
          post_id: string
          user_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          post_id: string
          user_id: string
        }
        Update: {
          created_at?: string
          post_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'saved_posts_post_id_fkey'
            columns: ['post_id']
            isOneToOne: false
            referencedRelation: 'posts'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'saved_posts_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      stories: {
        Row: {
          audience: string
          color_space: string | null
          content: string | null
          created_at: string
          duration_ms: number | null
          expires_at: string
          has_sound: boolean | null
          id: string
          media_height: number | null
          media_path: string | null
          media_type: string
          media_url: string | null
          media_width: number | null
          poster_path: string | null
          state: string
          thumbhash: string | null
          thumbnail_url: string | null
          user_id: string
        }
        ComputedFields: never
        Insert: {
          audience?: string
          color_space?: string | null
          content?: string | null
          created_at?: string
          duration_ms?: number | null
          expires_at?: string
          has_sound?: boolean | null
          id?: string
          media_height?: number | null
          media_path?: string | null
          media_type: string
          media_url?: string | null
          media_width?: number | null
          poster_path?: string | null
          state?: string
          thumbhash?: string | null
          thumbnail_url?: string | null
          user_id: string
        }
        Update: {
          audience?: string
          color_space?: string | null
          content?: string | null
          created_at?: string
          duration_ms?: number | null
          expires_at?: string
          has_sound?: boolean | null
          id?: string
          media_height?: number | null
          media_path?: string | null
          media_type?: string
          media_url?: string | null
          media_width?: number | null
          poster_path?: string | null
          state?: string
          thumbhash?: string | null
          thumbnail_url?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'stories_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      story_views: {
        Row: {
          created_at: string
          story_id: string
          viewer_id: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          story_id: string
          viewer_id: string
        }
        Update: {
          created_at?: string
          story_id?: string
          viewer_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'story_views_story_id_fkey'
            columns: ['story_id']
            isOneToOne: false
            referencedRelation: 'stories'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'story_views_viewer_id_fkey'
            columns: ['viewer_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      accept_follow_request: { Args: { requester: string }; Returns: undefined }
      answer_sign_in: { Args: { sign_in: string; was_me: boolean }; Returns: undefined }
      block_members: { Args: { ids: string[] }; Returns: undefined }
      blocked_members: {
        Args: Record<PropertyKey, never>
        Returns: {
          avatar_path: string
          avatar_url: string
          created_at: string
          full_name: string
          id: string
          username: string
        }[]
      }
      clear_account: { Args: Record<PropertyKey, never>; Returns: boolean }
      conversation_folders: {
        Args: Record<PropertyKey, never>
        Returns: {
          conversations: number
          folder: string
        }[]
      }
      count_topic_posts: { Args: { topic_kind: string; topic_name: string }; Returns: number }
      create_post: {
        Args: { content?: string; location?: string; media?: Json; post_id: string }
        Returns: {
          created_at: string
          id: string
        }[]
      }
      delete_account: { Args: Record<PropertyKey, never>; Returns: undefined }
      delete_comments: { Args: { ids: string[] }; Returns: undefined }
      delete_posts: { Args: { ids: string[] }; Returns: undefined }
      delete_stories: { Args: { ids: string[] }; Returns: undefined }
      edit_message: { Args: { content: string; message: string }; Returns: undefined }
      end_follow: { Args: { follower: string; following: string }; Returns: undefined }
      end_session: { Args: { session: string }; Returns: undefined }
      explore_posts: {
        Args: { before_at?: string; before_id?: string }
        Returns: {
          alt_text: string | null
          audience: string
          comment_count: number
          content: string
          created_at: string
          edited_at: string | null
          id: string
          image_height: number | null
          image_url: string | null
          image_width: number | null
          like_count: number
          location: string | null
          state: string
          thumbnail_url: string | null
          user_id: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'posts'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      following_posts: {
        Args: { before_at?: string; before_id?: string }
        Returns: {
          alt_text: string | null
          audience: string
          comment_count: number
          content: string
          created_at: string
          edited_at: string | null
          id: string
          image_height: number | null
          image_url: string | null
          image_width: number | null
          like_count: number
          location: string | null
          state: string
          thumbnail_url: string | null
          user_id: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'posts'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      known_usernames: {
        Args: { names: string }
        Returns: {
          username: string
        }[]
      }
      mark_delivered: { Args: Record<PropertyKey, never>; Returns: undefined }
      mark_read: { Args: { conversation: string; until_at: string; until_id: string }; Returns: boolean }
      media_in_storage: { Args: Record<PropertyKey, never>; Returns: boolean }
      media_limit: { Args: Record<PropertyKey, never>; Returns: number }
      muted_members: {
        Args: Record<PropertyKey, never>
        Returns: {
          avatar_path: string
          avatar_url: string
          created_at: string
          full_name: string
          id: string
          username: string
        }[]
      }
      my_conversations: {
        Args: { before_at?: string; before_id?: string; in_folder?: string; only_groups?: boolean }
        Returns: {
          created_at: string
          epoch: number
          from_start: boolean
          id: string
          kind: string
          last_message_at: string
          name: string | null
          participant_1: string | null
          participant_1_wrote: boolean
          participant_2: string | null
          participant_2_wrote: boolean
          picture_path: string | null
          pictured_by: string | null
          started_by: string | null
          version: number
        }[]
        SetofOptions: {
          from: '*'
          to: 'conversations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      my_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          id: string
          is_current: boolean
          last_used_at: string
          user_agent: string
        }[]
      }
      my_state: {
        Args: Record<PropertyKey, never>
        Returns: {
          reason: string
          state: string
          until: string
        }[]
      }
      my_unused_objects: {
        Args: Record<PropertyKey, never>
        Returns: {
          name: string
        }[]
      }
      new_sign_ins: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          id: string
          user_agent: string
        }[]
      }
      notification_groups: {
        Args: { before_at?: string; before_id?: string }
        Returns: {
          about: string
          actor_count: number
          actors: Json
          comment_id: string
          content: string
          created_at: string
          group_key: string
          id: string
          message: string
          post_id: string
          read: boolean
          story_id: string
          type: string
        }[]
      }
      people_to_follow: {
        Args: Record<PropertyKey, never>
        Returns: {
          avatar_path: string
          avatar_url: string
          followed_by: string
          followed_by_count: number
          full_name: string
          id: string
          username: string
        }[]
      }
      popular_hashtags: {
        Args: Record<PropertyKey, never>
        Returns: {
          label: string
          topic: string
        }[]
      }
      register_device: { Args: { device: string }; Returns: undefined }
      renamed_to: { Args: { name: string }; Returns: string }
      search_messages: {
        Args: { before_at?: string; before_id?: string; in_conversation?: string; query: string }
        Returns: {
          content: string
          conversation_id: string
          created_at: string
          id: string
          is_last_read: boolean
          is_match: boolean
          sender_id: string
        }[]
      }
      search_posts: {
        Args: { before_at?: string; before_id?: string; query: string }
        Returns: {
          alt_text: string | null
          audience: string
          comment_count: number
          content: string
          created_at: string
          edited_at: string | null
          id: string
          image_height: number | null
          image_url: string | null
          image_width: number | null
          like_count: number
          location: string | null
          state: string
          thumbnail_url: string | null
          user_id: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'posts'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      search_profiles: {
        Args: { query: string }
        Returns: {
          avatar_path: string
          avatar_url: string
          full_name: string
          id: string
          username: string
        }[]
      }
      search_topics: {
        Args: { query: string }
        Returns: {
          kind: string
          label: string
          topic: string
        }[]
      }
      session_end: {
        Args: { session: string }
        Returns: {
          ended_at: string
          reason: string
        }[]
      }
      settle: { Args: Record<PropertyKey, never>; Returns: number }
      setup_status: { Args: Record<PropertyKey, never>; Returns: Json }
      shown_comment_count: {
        Args: { '': Database['public']['Tables']['posts']['Row'] }
        Returns: {
          error: true
        } & 'the function public.shown_comment_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
      }
      shown_follower_count: {
        Args: { '': Database['public']['Tables']['profiles']['Row'] }
        Returns: {
          error: true
        } & 'the function public.shown_follower_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
      }
      shown_following_count: {
        Args: { '': Database['public']['Tables']['profiles']['Row'] }
        Returns: {
          error: true
        } & 'the function public.shown_following_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
      }
      shown_like_count:
        | {
            Args: { '': Database['public']['Tables']['comments']['Row'] }
            Returns: {
              error: true
            } & 'the function public.shown_like_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
          }
        | {
            Args: { '': Database['public']['Tables']['posts']['Row'] }
            Returns: {
              error: true
            } & 'the function public.shown_like_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
          }
      shown_post_count: {
        Args: { '': Database['public']['Tables']['profiles']['Row'] }
        Returns: {
          error: true
        } & 'the function public.shown_post_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
      }
      shown_reply_count: {
        Args: { '': Database['public']['Tables']['comments']['Row'] }
        Returns: {
          error: true
        } & 'the function public.shown_reply_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache'
      }
      signed_in_recently: { Args: Record<PropertyKey, never>; Returns: boolean }
      touch_activity: { Args: Record<PropertyKey, never>; Returns: undefined }
      unread_conversations: { Args: Record<PropertyKey, never>; Returns: number }
      unread_groups: {
        Args: { of_groups: string[] }
        Returns: {
          conversation_id: string
        }[]
      }
      unread_notifications: { Args: Record<PropertyKey, never>; Returns: number }
      unsend_message: { Args: { message: string }; Returns: undefined }
      username_available: { Args: { name: string }; Returns: boolean }
      waiting_objects: {
        Args: { most?: number }
        Returns: {
          name: string
        }[]
      }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
